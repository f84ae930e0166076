package io.gannet.ring;

/**
 * 128 bytes that nobody uses. Fields of a superclass come before those of its subclasses; within a class the JVM puts
 * the longs first, so what is to lie between padding is a long, whatever it is used for.
 */
abstract class Padding
{
    /** What the object's header leaves of 8 bytes, which a field of a subclass would fill otherwise. */
    int rest;
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
