/**
 * What a service of systemd does that no library for Java has: readiness, status and watchdog as sd_notify(3) describes
 * them, and priorities of lines on standard error as sd-daemon(3) does.
 */
package io.gannet.systemd;
