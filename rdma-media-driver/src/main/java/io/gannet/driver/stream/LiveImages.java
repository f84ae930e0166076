package io.gannet.driver.stream;

import java.util.ArrayList;
import java.util.List;

/**
 * Images that publishers' drivers connect, until they end: each has a look at its timers now and then. For the control
 * thread alone.
 */
final class LiveImages
{
    private final List<ImageSession> images = new ArrayList<>();
    private final Turns turns = new Turns();

    void add(final ImageSession image)
    {
        images.add(image);
    }

    int doWork(final long now)
    {
        int work = 0;
        for (int due = turns.due(images.size(), now); due > 0; due--)
        {
            final int index = turns.next(images.size());
            final ImageSession image = images.get(index);
            work += image.doWork();
            if (image.isEnded())
            {
                images.remove(index);
            }
        }
        return work;
    }
}
