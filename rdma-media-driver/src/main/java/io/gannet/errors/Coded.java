package io.gannet.errors;

/** An exception that knows its code. */
public interface Coded
{
    /** Which of the operator's errors it is. */
    OperatorError error();
}
