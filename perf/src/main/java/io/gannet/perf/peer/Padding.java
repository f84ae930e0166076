package io.gannet.perf.peer;

/**
 * 128 bytes that nobody uses: a line and its neighbour, which processors fetch together. Fields of a superclass come
 * before those of its subclasses.
 */
public abstract class Padding
{
    /** Takes the gap behind the header, into which a subclass's small field would be put otherwise. */
    int before00;
    long before01;
    long before02;
    long before03;
    long before04;
    long before05;
    long before06;
    long before07;
    long before08;
    long before09;
    long before10;
    long before11;
    long before12;
    long before13;
    long before14;
    long before15;
    long before16;
}
