package io.gannet.rdma.verbs;

import io.gannet.rdma.Errno;
import io.gannet.rdma.RdmaException;
import java.lang.foreign.Arena;
import java.lang.foreign.SymbolLookup;

/**
 * The functions of libibverbs and librdmacm that are used, found by name. {@code ibv_fork_init} is not among them: it
 * splits mappings at each registration, and nothing here forks without exec.
 */
final class RdmaLibrary
{
    static final String VERBS = "libibverbs.so.1";
    static final String CM = "librdmacm.so.1";

    final NativeFunction getDeviceList;
    final NativeFunction freeDeviceList;
    final NativeFunction queryDevice;
    final NativeFunction allocPd;
    final NativeFunction deallocPd;
    final NativeFunction regMr;
    final NativeFunction deregMr;
    final NativeFunction createCompChannel;
    final NativeFunction destroyCompChannel;
    final NativeFunction createCq;
    final NativeFunction destroyCq;
    final NativeFunction getCqEvent;
    final NativeFunction ackCqEvents;
    final NativeFunction modifyQp;
    final NativeFunction queryQp;
    final NativeFunction getAsyncEvent;
    final NativeFunction ackAsyncEvent;
    final NativeFunction createEventChannel;
    final NativeFunction destroyEventChannel;
    final NativeFunction createId;
    final NativeFunction destroyId;
    final NativeFunction bindAddr;
    final NativeFunction listen;
    final NativeFunction resolveAddr;
    final NativeFunction resolveRoute;
    final NativeFunction createQp;
    final NativeFunction destroyQp;
    final NativeFunction connect;
    final NativeFunction accept;
    final NativeFunction reject;
    final NativeFunction disconnect;
    final NativeFunction setOption;
    final NativeFunction getCmEvent;
    final NativeFunction ackCmEvent;
    final NativeFunction getDevices;
    final NativeFunction freeDevices;

    private final SymbolLookup symbols;

    /**
     * @param symbols where the functions are; a test gives its own.
     * @throws RdmaException naming library, version and function, if one is missing.
     */
    RdmaLibrary(final SymbolLookup symbols)
    {
        this.symbols = symbols;
        getDeviceList = find("ibv_get_device_list");
        freeDeviceList = find("ibv_free_device_list");
        queryDevice = find("ibv_query_device");
        allocPd = find("ibv_alloc_pd");
        deallocPd = find("ibv_dealloc_pd");
        regMr = find("ibv_reg_mr");
        deregMr = find("ibv_dereg_mr");
        createCompChannel = find("ibv_create_comp_channel");
        destroyCompChannel = find("ibv_destroy_comp_channel");
        createCq = find("ibv_create_cq");
        destroyCq = find("ibv_destroy_cq");
        getCqEvent = find("ibv_get_cq_event");
        ackCqEvents = find("ibv_ack_cq_events");
        modifyQp = find("ibv_modify_qp");
        queryQp = find("ibv_query_qp");
        getAsyncEvent = find("ibv_get_async_event");
        ackAsyncEvent = find("ibv_ack_async_event");
        createEventChannel = find("rdma_create_event_channel");
        destroyEventChannel = find("rdma_destroy_event_channel");
        createId = find("rdma_create_id");
        destroyId = find("rdma_destroy_id");
        bindAddr = find("rdma_bind_addr");
        listen = find("rdma_listen");
        resolveAddr = find("rdma_resolve_addr");
        resolveRoute = find("rdma_resolve_route");
        createQp = find("rdma_create_qp");
        destroyQp = find("rdma_destroy_qp");
        connect = find("rdma_connect");
        accept = find("rdma_accept");
        reject = find("rdma_reject");
        disconnect = find("rdma_disconnect");
        setOption = find("rdma_set_option");
        getCmEvent = find("rdma_get_cm_event");
        ackCmEvent = find("rdma_ack_cm_event");
        getDevices = find("rdma_get_devices");
        freeDevices = find("rdma_free_devices");
    }

    /**
     * The installed libraries; loaded once.
     *
     * @throws RdmaException if one is not there, with the package that has it.
     */
    static RdmaLibrary installed()
    {
        return new RdmaLibrary(open(VERBS, "libibverbs1").or(open(CM, "librdmacm1")));
    }

    private static SymbolLookup open(final String library, final String debianPackage)
    {
        try
        {
            return SymbolLookup.libraryLookup(library, Arena.global());
        }
        catch (final IllegalArgumentException e)
        {
            throw new RdmaException(Errno.ENOENT, "cannot load " + library + ". Install rdma-core's user-space " +
                "libraries (Debian, Ubuntu: " + debianPackage + " and ibverbs-providers; Fedora, RHEL: libibverbs " +
                "and librdmacm), or choose another device");
        }
    }

    private NativeFunction find(final String name)
    {
        return new NativeFunction(name, symbols.find(name).orElseThrow(() -> new RdmaException(
            Errno.EOPNOTSUPP, "cannot use " + Provider.file(name.startsWith("rdma") ? CM : VERBS) + ": it has no " +
            name + ". Install rdma-core 34 or later")));
    }
}
