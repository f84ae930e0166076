package io.gannet.rdma.verbs;

/**
 * Sizes, offsets and values of {@code infiniband/verbs.h} and {@code rdma/rdma_cma.h}, all that this package uses and
 * nowhere else. One class per struct, named like it, one constant per field; a name that ends with an architecture
 * holds there alone. Everything else is the same on x86-64 and aarch64. Offsets of {@link VerbsContext} are relative to
 * the {@code ibv_context} that it ends with, as it grows at its start.
 *
 * <p>{@code AbiTest} compares each constant with what a C compiler says, or with a table of that where there is none.
 */
final class Abi
{
    static final boolean IS_AARCH64 = "aarch64".equals(System.getProperty("os.arch"));

    private Abi()
    {
    }

    static final class IbvDevice
    {
        static final int TRANSPORT_TYPE = 20;
        static final int NAME = 24;
        static final int SIZEOF_NAME = 64;
        static final int DEV_NAME = 88;

        private IbvDevice()
        {
        }
    }

    static final class IbvContext
    {
        static final int SIZE_X86_64 = 328;
        static final int SIZE_AARCH64 = 336;
        static final int SIZE = IS_AARCH64 ? SIZE_AARCH64 : SIZE_X86_64;
        static final int DEVICE = 0;
        static final int OPS_POLL_CQ = 96;
        static final int OPS_REQ_NOTIFY_CQ = 104;
        static final int OPS_POST_SEND = 208;
        static final int OPS_POST_RECV = 216;
        static final int CMD_FD = 264;
        static final int ASYNC_FD = 268;
        static final int NUM_COMP_VECTORS = 272;
        static final int ABI_COMPAT_X86_64 = 320;
        static final int ABI_COMPAT_AARCH64 = 328;
        static final int ABI_COMPAT = IS_AARCH64 ? ABI_COMPAT_AARCH64 : ABI_COMPAT_X86_64;

        private IbvContext()
        {
        }
    }

    static final class VerbsContext
    {
        static final int QUERY_PORT = -320;
        static final int SZ = -8;

        private VerbsContext()
        {
        }
    }

    static final class IbvDeviceAttr
    {
        static final int SIZE = 232;
        static final int FW_VER = 0;
        static final int MAX_MR_SIZE = 80;
        static final int MAX_QP = 108;
        static final int MAX_QP_WR = 112;
        static final int MAX_CQ = 128;
        static final int MAX_CQE = 132;
        static final int MAX_MR = 136;
        static final int PHYS_PORT_CNT = 227;

        private IbvDeviceAttr()
        {
        }
    }

    static final class IbvPortAttr
    {
        /** What every version of the library fills in; later ones have more behind. */
        static final int SIZE = 52;
        static final int STATE = 0;
        static final int ACTIVE_MTU = 8;
        static final int MAX_MSG_SZ = 20;
        static final int LINK_LAYER = 46;

        private IbvPortAttr()
        {
        }
    }

    static final class IbvPd
    {
        static final int CONTEXT = 0;

        private IbvPd()
        {
        }
    }

    static final class IbvMr
    {
        static final int PD = 8;
        static final int ADDR = 16;
        static final int LENGTH = 24;
        static final int LKEY = 36;
        static final int RKEY = 40;

        private IbvMr()
        {
        }
    }

    static final class IbvCompChannel
    {
        static final int CONTEXT = 0;
        static final int FD = 8;

        private IbvCompChannel()
        {
        }
    }

    static final class IbvCq
    {
        static final int CONTEXT = 0;
        static final int CQE = 28;

        private IbvCq()
        {
        }
    }

    static final class IbvQp
    {
        static final int CONTEXT = 0;
        static final int PD = 16;
        static final int SEND_CQ = 24;
        static final int RECV_CQ = 32;
        static final int QP_NUM = 52;

        private IbvQp()
        {
        }
    }

    static final class IbvQpInitAttr
    {
        static final int SIZE = 64;
        static final int SEND_CQ = 8;
        static final int RECV_CQ = 16;
        static final int CAP_MAX_SEND_WR = 32;
        static final int CAP_MAX_RECV_WR = 36;
        static final int CAP_MAX_SEND_SGE = 40;
        static final int CAP_MAX_RECV_SGE = 44;
        static final int CAP_MAX_INLINE_DATA = 48;
        static final int QP_TYPE = 52;

        private IbvQpInitAttr()
        {
        }
    }

    static final class IbvQpAttr
    {
        static final int SIZE = 144;
        static final int QP_STATE = 0;
        static final int PATH_MTU = 8;
        static final int QP_ACCESS_FLAGS = 32;
        static final int AH_ATTR_GRH_TRAFFIC_CLASS = 78;
        static final int MAX_RD_ATOMIC = 126;
        static final int MAX_DEST_RD_ATOMIC = 127;
        static final int MIN_RNR_TIMER = 128;
        static final int TIMEOUT = 130;
        static final int RETRY_CNT = 131;
        static final int RNR_RETRY = 132;

        private IbvQpAttr()
        {
        }
    }

    static final class IbvSge
    {
        static final int SIZE = 16;
        static final int ADDR = 0;
        static final int LENGTH = 8;
        static final int LKEY = 12;

        private IbvSge()
        {
        }
    }

    static final class IbvSendWr
    {
        static final int SIZE = 128;
        static final int WR_ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;
        static final int OPCODE = 28;
        static final int SEND_FLAGS = 32;
        /** Big-endian. */
        static final int IMM_DATA = 36;
        static final int WR_RDMA_REMOTE_ADDR = 40;
        static final int WR_RDMA_RKEY = 48;

        private IbvSendWr()
        {
        }
    }

    static final class IbvRecvWr
    {
        static final int SIZE = 32;
        static final int WR_ID = 0;
        static final int NEXT = 8;
        static final int SG_LIST = 16;
        static final int NUM_SGE = 24;

        private IbvRecvWr()
        {
        }
    }

    /** Read by {@link io.gannet.rdma.WorkCompletions}. */
    static final class IbvWc
    {
        static final int SIZE = 48;
        static final int WR_ID = 0;
        static final int STATUS = 8;
        static final int OPCODE = 12;
        static final int VENDOR_ERR = 16;
        static final int BYTE_LEN = 20;
        static final int IMM_DATA = 24;
        static final int QP_NUM = 28;
        static final int WC_FLAGS = 36;

        private IbvWc()
        {
        }
    }

    static final class IbvAsyncEvent
    {
        static final int SIZE = 16;
        static final int ELEMENT = 0;
        static final int EVENT_TYPE = 8;

        private IbvAsyncEvent()
        {
        }
    }

    static final class RdmaEventChannel
    {
        static final int FD = 0;

        private RdmaEventChannel()
        {
        }
    }

    static final class RdmaCmId
    {
        static final int VERBS = 0;
        static final int QP = 24;
        static final int ROUTE_ADDR_SRC_ADDR = 32;
        static final int ROUTE_ADDR_DST_ADDR = 160;
        static final int PORT_NUM = 348;

        private RdmaCmId()
        {
        }
    }

    static final class RdmaConnParam
    {
        static final int SIZE = 24;
        static final int PRIVATE_DATA = 0;
        static final int PRIVATE_DATA_LEN = 8;
        static final int RESPONDER_RESOURCES = 9;
        static final int INITIATOR_DEPTH = 10;
        static final int RETRY_COUNT = 12;
        static final int RNR_RETRY_COUNT = 13;

        private RdmaConnParam()
        {
        }
    }

    static final class RdmaCmEvent
    {
        static final int ID = 0;
        static final int LISTEN_ID = 8;
        static final int EVENT = 16;
        static final int STATUS = 20;
        static final int PARAM_CONN_PRIVATE_DATA = 24;
        static final int PARAM_CONN_PRIVATE_DATA_LEN = 32;

        private RdmaCmEvent()
        {
        }
    }

    /** Values of enumerations, named as there without their prefix where it is {@code IBV_}. */
    static final class Value
    {
        static final int TRANSPORT_IB = 0;
        static final int TRANSPORT_IWARP = 1;
        static final int LINK_LAYER_INFINIBAND = 1;
        static final int LINK_LAYER_ETHERNET = 2;
        static final int PORT_INIT = 2;
        static final int PORT_ARMED = 3;
        static final int PORT_ACTIVE = 4;
        static final int QPT_RC = 2;
        static final int QPS_RESET = 0;
        static final int QPS_INIT = 1;
        static final int QPS_RTR = 2;
        static final int QPS_RTS = 3;
        static final int QPS_ERR = 6;
        static final int QP_STATE = 1;
        static final int QP_ACCESS_FLAGS = 8;
        static final int QP_MIN_RNR_TIMER = 32768;
        static final int WR_RDMA_WRITE = 0;
        static final int WR_RDMA_WRITE_WITH_IMM = 1;
        static final int WR_SEND = 2;
        static final int EVENT_CQ_ERR = 0;
        static final int EVENT_QP_FATAL = 1;
        static final int EVENT_QP_REQ_ERR = 2;
        static final int EVENT_QP_ACCESS_ERR = 3;
        static final int EVENT_COMM_EST = 4;
        static final int EVENT_DEVICE_FATAL = 8;
        static final int EVENT_PORT_ACTIVE = 9;
        static final int EVENT_PORT_ERR = 10;
        static final int EVENT_GID_CHANGE = 18;
        static final int RDMA_PS_TCP = 262;
        static final int RDMA_OPTION_ID = 0;
        static final int RDMA_OPTION_ID_TOS = 0;
        static final int RDMA_OPTION_ID_ACK_TIMEOUT = 3;
        static final int RDMA_CM_EVENT_ADDR_RESOLVED = 0;
        static final int RDMA_CM_EVENT_ADDR_ERROR = 1;
        static final int RDMA_CM_EVENT_ROUTE_RESOLVED = 2;
        static final int RDMA_CM_EVENT_ROUTE_ERROR = 3;
        static final int RDMA_CM_EVENT_CONNECT_REQUEST = 4;
        static final int RDMA_CM_EVENT_CONNECT_ERROR = 6;
        static final int RDMA_CM_EVENT_UNREACHABLE = 7;
        static final int RDMA_CM_EVENT_REJECTED = 8;
        static final int RDMA_CM_EVENT_ESTABLISHED = 9;
        static final int RDMA_CM_EVENT_DISCONNECTED = 10;
        static final int RDMA_CM_EVENT_DEVICE_REMOVAL = 11;
        static final int RDMA_CM_EVENT_ADDR_CHANGE = 14;
        static final int RDMA_CM_EVENT_TIMEWAIT_EXIT = 15;

        private Value()
        {
        }
    }
}
