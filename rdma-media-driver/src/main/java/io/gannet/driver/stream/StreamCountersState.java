package io.gannet.driver.stream;

/** What an agent counts for a stream, with a line's distance to whatever the heap puts before and behind it. */
abstract class StreamCountersState extends StreamCountersPadding
{
    long bytes;
    long messages;
    long requests;
    long doorbells;
    long inlineRequests;
    long signaledRequests;
    long fetchedBytes;
    long creditStalls;
    long windowStalls;
    long queueStalls;
    long refusedPosts;
    long receives;
    long feedbacks;
    long ignoredFeedback;
    long rnrErrors;
    long reconnects;
    long completionPolls;
    long emptyCompletionPolls;
    long outstanding;
    long credits;
    long position;
    long consumed;
    StreamCounters.Hold hold = StreamCounters.Hold.CONNECTION;
    long holdSince;
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
