/**
 * What a client and its driver share besides rings: the directory, the control file, one file per client, and the
 * commands and events in it. Both sides of each structure are here; nothing else knows an offset.
 *
 * <h2>Files</h2>
 * <pre>
 *  &lt;directory&gt;/            found or created, perhaps a mount; never deleted
 *    driver                 {@link io.gannet.control.DriverFile}: locked while a driver lives; epoch; bell
 *    control                {@link io.gannet.control.ControlFile}: one per driver epoch, renamed in when complete
 *    clients/&lt;16 hex&gt;      {@link io.gannet.control.ClientFile}: locked while its client lives
 *    rings/                 named by the driver
 * </pre>
 * Liveness is the lock (an OFD lock, right across pid namespaces); process ids and start times are for messages.
 *
 * <h2>A client connects</h2>
 * <ol>
 * <li>The client creates its file under a temporary name, locks it, fills it, renames it into {@code clients/}, adds
 *     one to the driver file's <em>arrivals</em> and rings the driver's bell. The driver looks into {@code clients/}
 *     when arrivals changed, and once a second.</li>
 * <li>For each driver epoch, the first included, the client clears both rings, sends {@code Connect} with the epoch
 *     and release-stores the epoch into its file. A driver neither reads nor writes a client's rings before it
 *     acquires its own epoch there; so leftovers of a driver that died in a write are never seen.</li>
 * <li>The driver answers {@code Connected}, or {@code OperationFailed} with {@code VERSION_MISMATCH}, and nothing
 *     before. A client or driver of protocol version N accepts N and N - 1.</li>
 * </ol>
 * Then, under a restarted driver, the client sends again each add that it still holds, with the registration ids it
 * had: {@code AddPublication} with {@code resumeRingId}, {@code AddSubscription} followed by a {@code ResumeImage} for
 * each image, {@code AddCounter} with the last value; and at the end {@code ResumeDone}, under the first driver too:
 * what the driver's journal says of this client beyond that was closed while there was no driver. The driver answers
 * as the first time. A ring that it could not adopt ends by {@code PublicationEnded}, respectively
 * {@code ImageUnavailable} with {@code NOT_ADOPTED}; an image that it could resume gets no event.
 *
 * <h2>Registrations</h2>
 * A client numbers its registrations itself, from 1, never twice. Every command with a correlation id but
 * {@code CloseClient} is answered once: by its ready event, {@code OperationSucceeded} or {@code OperationFailed}.
 * A client that gives up waiting sends the remove command for the registration, which the driver accepts before,
 * while and after it works on the add.
 *
 * <h3>Publication</h3>
 * <pre>
 *  client                           driver
 *  AddPublication      ----------&gt;  resource thread makes (or finds) the ring
 *  maps the ring       &lt;----------  PublicationReady
 *  ... offers ...
 *  no more offers
 *  RemovePublication   ----------&gt;  last publication of the ring: end of stream is set in the ring's header;
 *                      &lt;----------  OperationSucceeded
 *                                   the ring's file goes when no image is left
 * </pre>
 * Publications of kind CONCURRENT with equal channel and stream share one ring in a directory, across clients; an
 * EXCLUSIVE one has its own.
 *
 * <h3>Subscription</h3>
 * <pre>
 *  AddSubscription     ----------&gt;
 *                      &lt;----------  SubscriptionReady
 *  for each ring of the channel and stream, now and later:
 *                                   conductor joins the gating list (design: enter, fence, walk, raise)
 *  maps the ring       &lt;----------  ImageAvailable (gate, join position)
 *  ... polls, moves its gate ...
 *                      &lt;----------  ImageUnavailable: the stream ends at the position
 *  unmaps
 *  ReleaseImage        ----------&gt;  conductor removes the gate
 *
 *  RemoveSubscription  ----------&gt;  removes the gates that are left
 *                      &lt;----------  OperationSucceeded
 * </pre>
 * {@code ImageUnavailable} with END_OF_STREAM is sent when the gate has reached the end of the stream, so that a slow
 * subscriber loses nothing. A client that can't map a ring answers {@code ImageAvailable} by {@code ReleaseImage}.
 * The client has stopped polling before it sends {@code ReleaseImage} or {@code RemoveSubscription}.
 *
 * <h3>Counters</h3>
 * {@code AddCounter} is answered by {@code CounterReady}; the client then writes the value in the control file itself.
 *
 * <h2>Bells</h2>
 * Whoever wrote into a ring rings the reader's {@link io.gannet.control.Bell}: the driver's is in the driver file, a
 * client's in its own file.
 *
 * <h2>Garbage</h2>
 * A side that finds bytes which are no record, no message or make no sense gives up that conversation, and nobody else
 * is touched. The driver sends {@code OperationFailed} with {@code MALFORMED_COMMAND} and correlation id 0, as its last
 * touch of the client's rings until it finds them cleared; what the client holds stays, and the client connects anew as
 * after a driver restart. A client whose event ring is out of step reports it and closes itself, as does one that finds
 * its file written to or given up.
 */
package io.gannet.control;
