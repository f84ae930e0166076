package io.gannet.perf.peer;

/** Counters of one poll that calls back, with a line's distance to what lies before and behind them. */
final class PolledState extends Padding
{
    long polled;
    long limit;
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
