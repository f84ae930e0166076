package io.gannet.perf.load;

import io.gannet.perf.peer.Padding;

/** What a producing thread stores with its messages, with a line's distance to what lies before and behind it. */
abstract class OutboundState extends Padding
{
    /** Messages accepted since the start. */
    long sequence;
    /** Offers of the phase that met back pressure. */
    long refused;
    /** Pauses of a paced phase between two looks at the clock, and their sum. */
    long gaps;
    long gapNanos;
    long after01;
    long after02;
    long after03;
    long after04;
    long after05;
    long after06;
    long after07;
    long after08;
    long after09;
    long after10;
    long after11;
    long after12;
    long after13;
    long after14;
    long after15;
    long after16;
}
