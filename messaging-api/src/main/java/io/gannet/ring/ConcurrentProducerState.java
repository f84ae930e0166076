package io.gannet.ring;

/** What the threads of a concurrent producer share, with a line's distance to what lies before and behind it. */
abstract class ConcurrentProducerState extends Padding
{
    long limit = Long.MIN_VALUE;
    long version;
    /** 1 while a thread looks at the subscribers. */
    long refreshing;
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
