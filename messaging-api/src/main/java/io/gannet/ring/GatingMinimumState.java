package io.gannet.ring;

/** What a look at the gating list changes, with a line's distance to what the threads of its producer only read. */
abstract class GatingMinimumState extends Padding
{
    long version;
    long minimum = RingLayout.FREE;
    long holder = -1;
    long connected;
    long ignored;
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
