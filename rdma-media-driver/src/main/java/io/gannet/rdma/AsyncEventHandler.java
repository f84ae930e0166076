package io.gannet.rdma;

/**
 * Takes a device's asynchronous events.
 */
@FunctionalInterface
public interface AsyncEventHandler
{
    /**
     * Called once per event.
     *
     * @param type   what happened.
     * @param number of the queue pair or port concerned, or 0.
     * @param queue  the completion queue concerned, or null.
     */
    void onAsyncEvent(AsyncEventType type, int number, CompletionQueue queue);
}
