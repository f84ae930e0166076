package io.gannet.perf.worker;

/**
 * A scenario inside a worker. Implementations live in a class loader of their own, so that each has its own profile
 * and compiled code, as it would have in a process that does nothing else.
 */
public interface Program extends AutoCloseable
{
    /** Which threads of the scenario this worker has. */
    enum Side
    {
        /** The sending threads. */
        PUBLISHERS(0),
        /** The polling threads. */
        SUBSCRIBERS(1),
        /** All. */
        BOTH(2);

        private final int number;

        Side(final int number)
        {
            this.number = number;
        }

        /** Tells the private streams of the sides apart. */
        public int number()
        {
            return number;
        }

        boolean publishes()
        {
            return this != SUBSCRIBERS;
        }

        boolean subscribes()
        {
            return this != PUBLISHERS;
        }
    }

    /** Creates publications and subscriptions; does not wait for the other side. */
    void open(Scenario scenario, Side side, WorkerSettings settings, Board board);

    /** Whether every publication has its subscribers and every subscription its publications. */
    boolean connected();

    /** Runs both sides in the calling thread over a private stream until their code is compiled. */
    void warmUp();

    /** Duties that a client has between phases. */
    void service();

    /** Runs one phase as one of the worker's threads: producers first, then pollers. */
    ThreadResult run(int thread, Phase phase);

    @Override
    void close();
}
