/**
 * Real NICs: libibverbs and librdmacm called through the foreign-function interface, without C of our own. InfiniBand,
 * RoCE v2 and iWARP.
 *
 * <p>Structs are read and written at raw addresses with the offsets of {@link io.gannet.rdma.verbs.Abi}. Before the
 * first call through a function pointer the layout is checked against what the library shows.
 */
package io.gannet.rdma.verbs;
