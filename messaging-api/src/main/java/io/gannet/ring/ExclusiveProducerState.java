package io.gannet.ring;

/** What an exclusive producer changes, with a line's distance to whatever the heap puts before it. */
abstract class ExclusiveProducerState extends Padding
{
    long position;
    long limit = Long.MIN_VALUE;
    long version;
    long nextCoarse;
    /** 1 while a claim is open. */
    long claimOpen;
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
