/*
 * libibverbs and librdmacm for measurements, with one device whose queue pairs of one process write to each other's
 * memory. The functions of the data path do as little as a provider can: they build the work request as a NIC would
 * read it (64-byte blocks, bytes inline) and, unless GANNET_FAKE_DELIVER=0, copy its bytes to the peer. They count what
 * a NIC would have fetched. Only what Gannet's binding calls is here. Compiled when it is needed, never shipped.
 *
 * Memory of queue pairs and completion queues is never given back, so that a post needs no lock against a close at the
 * other end.
 */
#define _GNU_SOURCE
#include <errno.h>
#include <netinet/in.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <stdlib.h>
#include <string.h>
#include <sys/eventfd.h>
#include <unistd.h>

#undef ibv_get_device_list
#undef ibv_reg_mr

#define BLOCK 64
#define MOST_INLINE 512
#define MOST_EVENTS 4096
/* The send queue as the NIC sees it, and the most that one request takes of it. */
#define WQES (256 * BLOCK)
#define MOST_WQE (10 * BLOCK)
/* What one BlueFlame copy takes: a request that is alone, inline and no longer is not fetched by the NIC. */
#define BLUEFLAME 256

struct spin { volatile int held; };

static inline void pause_cpu(void)
{
#ifdef __x86_64__
    __builtin_ia32_pause();
#else
    __asm__ volatile("yield");
#endif
}

static inline void lock(struct spin *spin)
{
    while (__atomic_exchange_n(&spin->held, 1, __ATOMIC_ACQUIRE)) pause_cpu();
}

static inline void unlock(struct spin *spin) { __atomic_store_n(&spin->held, 0, __ATOMIC_RELEASE); }

struct channel { struct ibv_comp_channel verbs; struct spin lock; struct ibv_cq *events[MOST_EVENTS]; unsigned head, tail; };

struct queue {
    struct ibv_cq verbs;
    struct spin lock;
    struct ibv_wc *ring;
    unsigned mask;
    volatile unsigned head, tail;
    int armed;
    uint64_t polls, empty, polled;
    struct queue *next;
};

struct receive { uint64_t id, address; uint32_t length; };

struct pair {
    struct ibv_qp verbs;
    struct spin lock;
    struct pair *peer;
    struct receive *receives;
    unsigned receive_mask;
    unsigned head, tail;
    uint8_t *wqes;
    unsigned at;
    volatile uint64_t doorbell;
    /* what gannet_fake_totals sums up, in its order */
    uint64_t posts, requests, inlined, signaled, wqe_bytes, payload_bytes;
    struct pair *next;
};

struct id {
    struct rdma_cm_id cm;
    struct id *peer;
    struct id *next;
    int listening, connected;
};

struct event { struct rdma_cm_event cm; struct event *next; uint8_t data[200]; };

struct events { struct rdma_event_channel cm; struct event *first, *last; };

static pthread_mutex_t control = PTHREAD_MUTEX_INITIALIZER;
static struct id *listeners;
static struct pair *pairs;
static struct queue *queues;
static uint32_t numbers = 16;
static uint16_t ports = 20000;
static int deliver;

/* ---- data path ---- */

static void complete(struct queue *queue, struct pair *pair, uint64_t id, int status, int opcode, uint32_t length,
    uint32_t imm, unsigned flags)
{
    lock(&queue->lock);
    if (queue->tail - queue->head <= queue->mask) {
        struct ibv_wc *wc = &queue->ring[queue->tail & queue->mask];
        wc->wr_id = id;
        wc->status = status;
        wc->opcode = opcode;
        wc->vendor_err = 0;
        wc->byte_len = length;
        wc->imm_data = imm;
        wc->qp_num = pair->verbs.qp_num;
        wc->wc_flags = flags;
        __atomic_store_n(&queue->tail, queue->tail + 1, __ATOMIC_RELEASE);
    }
    const int announce = queue->armed;
    queue->armed = 0;
    unlock(&queue->lock);
    if (announce && queue->verbs.channel) {
        struct channel *to = (struct channel *)queue->verbs.channel;
        lock(&to->lock);
        to->events[to->tail++ % MOST_EVENTS] = &queue->verbs;
        unlock(&to->lock);
        eventfd_write(to->verbs.fd, 1);
    }
}

static int poll_cq(struct ibv_cq *cq, int most, struct ibv_wc *wc)
{
    struct queue *queue = (struct queue *)cq;
    queue->polls++;
    if (__atomic_load_n(&queue->tail, __ATOMIC_ACQUIRE) == queue->head) {
        queue->empty++;
        return 0;
    }
    lock(&queue->lock);
    int count = 0;
    while (count < most && queue->head != queue->tail) wc[count++] = queue->ring[queue->head++ & queue->mask];
    unlock(&queue->lock);
    queue->polled += count;
    return count;
}

static int req_notify_cq(struct ibv_cq *cq, int solicited)
{
    struct queue *queue = (struct queue *)cq;
    lock(&queue->lock);
    queue->armed = 1;
    unlock(&queue->lock);
    return 0;
}

static void to_error(struct pair *pair)
{
    lock(&pair->lock);
    const int before = pair->verbs.state;
    pair->verbs.state = IBV_QPS_ERR;
    while (before != IBV_QPS_ERR && pair->head != pair->tail) {
        const struct receive *receive = &pair->receives[pair->head++ & pair->receive_mask];
        complete((struct queue *)pair->verbs.recv_cq, pair, receive->id, IBV_WC_WR_FLUSH_ERR, 0, 0, 0, 0);
    }
    unlock(&pair->lock);
}

static void place(uint64_t to, const void *from, uint32_t length)
{
    if (length == 8 && (to & 7) == 0) {
        uint64_t word;
        memcpy(&word, from, 8);
        __atomic_store_n((uint64_t *)to, word, __ATOMIC_RELEASE);
    } else {
        memcpy((void *)to, from, length);
    }
}

/* Returns the status of the request. */
static int arrive(struct pair *pair, const struct ibv_send_wr *wr, const void *from, uint32_t length)
{
    struct pair *to = pair->peer;
    if (!to) return IBV_WC_RETRY_EXC_ERR;
    int status = IBV_WC_SUCCESS;
    lock(&to->lock);
    if (to->verbs.state != IBV_QPS_RTS) {
        status = IBV_WC_RETRY_EXC_ERR;
    } else {
        if (wr->opcode != IBV_WR_SEND && length) place(wr->wr.rdma.remote_addr, from, length);
        if (wr->opcode != IBV_WR_RDMA_WRITE) {
            if (to->head == to->tail) {
                status = IBV_WC_RNR_RETRY_EXC_ERR;
            } else {
                const struct receive *receive = &to->receives[to->head++ & to->receive_mask];
                const int is_send = wr->opcode == IBV_WR_SEND;
                if (is_send && length > receive->length) {
                    status = IBV_WC_REM_INV_REQ_ERR;
                } else {
                    if (is_send) memcpy((void *)receive->address, from, length);
                    complete((struct queue *)to->verbs.recv_cq, to, receive->id, IBV_WC_SUCCESS,
                        is_send ? IBV_WC_RECV : IBV_WC_RECV_RDMA_WITH_IMM, length, is_send ? 0 : wr->imm_data,
                        is_send ? 0 : IBV_WC_WITH_IMM);
                }
            }
        }
    }
    unlock(&to->lock);
    return status;
}

static int post_send(struct ibv_qp *qp, struct ibv_send_wr *wr, struct ibv_send_wr **bad)
{
    struct pair *pair = (struct pair *)qp;
    uint64_t bytes = 0;
    unsigned count = 0;
    int all_inline = 1;
    for (; wr; wr = wr->next) {
        uint8_t *wqe = pair->wqes + pair->at;
        const struct ibv_sge *sge = wr->sg_list;
        const uint32_t length = wr->num_sge ? sge->length : 0;
        const int is_inline = (wr->send_flags & IBV_SEND_INLINE) != 0;
        if (is_inline && length > MOST_INLINE) {
            *bad = wr;
            return EINVAL;
        }
        /* control 16 bytes, remote address 16, then the bytes behind their length or where they are */
        ((uint32_t *)wqe)[0] = wr->opcode;
        ((uint32_t *)wqe)[1] = qp->qp_num;
        ((uint32_t *)wqe)[2] = wr->send_flags;
        ((uint32_t *)wqe)[3] = wr->imm_data;
        ((uint64_t *)wqe)[2] = wr->wr.rdma.remote_addr;
        ((uint32_t *)wqe)[6] = wr->wr.rdma.rkey;
        const void *from = (const void *)(uintptr_t)(length ? sge->addr : 0);
        unsigned size = 32;
        if (is_inline) {
            ((uint32_t *)wqe)[8] = length;
            memcpy(wqe + 36, from, length);
            from = wqe + 36;
            size = 36 + length;
            pair->inlined++;
        } else {
            if (length) {
                ((uint32_t *)wqe)[8] = length;
                ((uint32_t *)wqe)[9] = sge->lkey;
                ((uint64_t *)wqe)[5] = sge->addr;
                size = 48;
            }
            pair->payload_bytes += length;
            all_inline &= length == 0;
        }
        size = (size + BLOCK - 1) & -BLOCK;
        bytes += size;
        pair->at = pair->at + size > WQES - MOST_WQE ? 0 : pair->at + size;
        count++;
        int status = IBV_WC_SUCCESS;
        if (qp->state != IBV_QPS_RTS) {
            status = IBV_WC_WR_FLUSH_ERR;
        } else if (deliver) {
            status = arrive(pair, wr, from, length);
        }
        if (wr->send_flags & IBV_SEND_SIGNALED || status != IBV_WC_SUCCESS) {
            pair->signaled++;
            complete((struct queue *)qp->send_cq, pair, wr->wr_id, status,
                wr->opcode == IBV_WR_SEND ? IBV_WC_SEND : IBV_WC_RDMA_WRITE, length, 0, 0);
        }
        if (status != IBV_WC_SUCCESS && status != IBV_WC_WR_FLUSH_ERR) to_error(pair);
    }
    pair->posts++;
    pair->requests += count;
    if (count != 1 || !all_inline || bytes > BLUEFLAME) pair->wqe_bytes += bytes;
    pair->doorbell = pair->at;
    return 0;
}

static int post_recv(struct ibv_qp *qp, struct ibv_recv_wr *wr, struct ibv_recv_wr **bad)
{
    struct pair *pair = (struct pair *)qp;
    int error = 0;
    lock(&pair->lock);
    for (; wr && !error; wr = wr->next) {
        if (pair->verbs.state == IBV_QPS_ERR) {
            complete((struct queue *)qp->recv_cq, pair, wr->wr_id, IBV_WC_WR_FLUSH_ERR, 0, 0, 0, 0);
        } else if (pair->tail - pair->head > pair->receive_mask) {
            *bad = wr;
            error = ENOMEM;
        } else {
            struct receive *receive = &pair->receives[pair->tail++ & pair->receive_mask];
            receive->id = wr->wr_id;
            receive->address = wr->num_sge ? wr->sg_list->addr : 0;
            receive->length = wr->num_sge ? wr->sg_list->length : 0;
        }
    }
    unlock(&pair->lock);
    return error;
}

/* ---- control: devices ---- */

static struct ibv_device device = {.node_type = IBV_NODE_CA, .transport_type = IBV_TRANSPORT_IB, .name = "fake0"};
static struct verbs_context verbs;

static int query_port(struct ibv_context *context, uint8_t number, struct ibv_port_attr *port, size_t size)
{
    port->state = IBV_PORT_ACTIVE;
    port->active_mtu = IBV_MTU_4096;
    port->max_msg_sz = 1 << 30;
    port->link_layer = IBV_LINK_LAYER_ETHERNET;
    return 0;
}

__attribute__((constructor)) static void start(void)
{
    const char *wish = getenv("GANNET_FAKE_DELIVER");
    deliver = !wish || strcmp(wish, "0");
    verbs.query_port = query_port;
    verbs.sz = sizeof verbs;
    verbs.context.abi_compat = __VERBS_ABI_IS_EXTENDED;
    verbs.context.device = &device;
    verbs.context.async_fd = eventfd(0, EFD_CLOEXEC);
    verbs.context.num_comp_vectors = 1;
    verbs.context.ops.poll_cq = poll_cq;
    verbs.context.ops.req_notify_cq = req_notify_cq;
    verbs.context.ops.post_send = post_send;
    verbs.context.ops.post_recv = post_recv;
}

static struct ibv_device *device_list[] = {&device, NULL};
static struct ibv_context *context_list[] = {&verbs.context, NULL};

struct ibv_device **ibv_get_device_list(int *count)
{
    if (count) *count = 1;
    return device_list;
}

void ibv_free_device_list(struct ibv_device **list) {}

int ibv_query_device(struct ibv_context *context, struct ibv_device_attr *attr)
{
    memset(attr, 0, sizeof *attr);
    attr->max_mr_size = -1;
    attr->max_qp = 1 << 16;
    attr->max_qp_wr = 1 << 15;
    attr->max_cq = 1 << 16;
    attr->max_cqe = 1 << 20;
    attr->max_mr = 1 << 16;
    attr->phys_port_cnt = 1;
    return 0;
}

struct ibv_pd *ibv_alloc_pd(struct ibv_context *context)
{
    struct ibv_pd *pd = calloc(1, sizeof *pd);
    pd->context = context;
    return pd;
}

int ibv_dealloc_pd(struct ibv_pd *pd) { free(pd); return 0; }

struct ibv_mr *ibv_reg_mr(struct ibv_pd *pd, void *address, size_t length, int access)
{
    struct ibv_mr *mr = calloc(1, sizeof *mr);
    mr->context = pd->context;
    mr->pd = pd;
    mr->addr = address;
    mr->length = length;
    mr->lkey = mr->rkey = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
    return mr;
}

struct ibv_mr *ibv_reg_mr_iova2(struct ibv_pd *pd, void *address, size_t length, uint64_t iova, unsigned access)
{
    return ibv_reg_mr(pd, address, length, access);
}

int ibv_dereg_mr(struct ibv_mr *mr) { free(mr); return 0; }

struct ibv_comp_channel *ibv_create_comp_channel(struct ibv_context *context)
{
    struct channel *channel = calloc(1, sizeof *channel);
    channel->verbs.context = context;
    channel->verbs.fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
    return &channel->verbs;
}

int ibv_destroy_comp_channel(struct ibv_comp_channel *channel) { close(channel->fd); return 0; }

struct ibv_cq *ibv_create_cq(struct ibv_context *context, int depth, void *user, struct ibv_comp_channel *channel,
    int vector)
{
    struct queue *queue = calloc(1, sizeof *queue);
    unsigned size = 1;
    while (size < (unsigned)depth) size *= 2;
    queue->ring = aligned_alloc(BLOCK, size * sizeof *queue->ring);
    queue->mask = size - 1;
    queue->verbs.context = context;
    queue->verbs.channel = channel;
    queue->verbs.cq_context = user;
    queue->verbs.cqe = size;
    pthread_mutex_lock(&control);
    queue->next = queues;
    queues = queue;
    pthread_mutex_unlock(&control);
    return &queue->verbs;
}

int ibv_destroy_cq(struct ibv_cq *cq) { return 0; }

int ibv_get_cq_event(struct ibv_comp_channel *verbs_channel, struct ibv_cq **cq, void **user)
{
    struct channel *channel = (struct channel *)verbs_channel;
    eventfd_t value;
    if (eventfd_read(verbs_channel->fd, &value)) return -1;
    lock(&channel->lock);
    *cq = channel->events[channel->head++ % MOST_EVENTS];
    unlock(&channel->lock);
    *user = (*cq)->cq_context;
    return 0;
}

void ibv_ack_cq_events(struct ibv_cq *cq, unsigned count) {}

int ibv_modify_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask)
{
    if ((mask & IBV_QP_STATE) && attr->qp_state == IBV_QPS_ERR) {
        to_error((struct pair *)qp);
    } else if (mask & IBV_QP_STATE) {
        qp->state = attr->qp_state;
    }
    return 0;
}

int ibv_query_qp(struct ibv_qp *qp, struct ibv_qp_attr *attr, int mask, struct ibv_qp_init_attr *init)
{
    memset(attr, 0, sizeof *attr);
    attr->qp_state = qp->state;
    return 0;
}

int ibv_get_async_event(struct ibv_context *context, struct ibv_async_event *event)
{
    eventfd_t value;
    return eventfd_read(context->async_fd, &value);
}

void ibv_ack_async_event(struct ibv_async_event *event) {}

/* ---- control: connections ---- */

struct rdma_event_channel *rdma_create_event_channel(void)
{
    struct events *events = calloc(1, sizeof *events);
    events->cm.fd = eventfd(0, EFD_SEMAPHORE | EFD_CLOEXEC);
    return &events->cm;
}

void rdma_destroy_event_channel(struct rdma_event_channel *channel)
{
    close(channel->fd);
    free(channel);
}

/* With the lock held. As rdma_cm does, private data come padded to the most that can come. */
static void raise(struct id *id, struct id *listener, int type, int status, const struct rdma_conn_param *param,
    unsigned most)
{
    struct event *event = calloc(1, sizeof *event);
    event->cm.id = &id->cm;
    event->cm.listen_id = listener ? &listener->cm : NULL;
    event->cm.event = type;
    event->cm.status = status;
    if (most) {
        if (param && param->private_data) memcpy(event->data, param->private_data, param->private_data_len);
        event->cm.param.conn.private_data = event->data;
        event->cm.param.conn.private_data_len = most;
    }
    struct events *to = (struct events *)id->cm.channel;
    if (to->last) to->last->next = event; else to->first = event;
    to->last = event;
    eventfd_write(to->cm.fd, 1);
}

int rdma_get_cm_event(struct rdma_event_channel *channel, struct rdma_cm_event **out)
{
    struct events *events = (struct events *)channel;
    for (;;) {
        eventfd_t value;
        if (eventfd_read(channel->fd, &value)) return -1;
        pthread_mutex_lock(&control);
        struct event *event = events->first;
        if (event) {
            events->first = event->next;
            if (!events->first) events->last = NULL;
        }
        pthread_mutex_unlock(&control);
        if (event) {
            *out = &event->cm;
            return 0;
        }
    }
}

int rdma_ack_cm_event(struct rdma_cm_event *event) { free(event); return 0; }

static struct id *make_id(struct rdma_event_channel *channel, void *context)
{
    struct id *id = calloc(1, sizeof *id);
    id->cm.channel = channel;
    id->cm.context = context;
    id->cm.ps = RDMA_PS_TCP;
    return id;
}

int rdma_create_id(struct rdma_event_channel *channel, struct rdma_cm_id **out, void *context, enum rdma_port_space ps)
{
    *out = &make_id(channel, context)->cm;
    return 0;
}

int rdma_destroy_id(struct rdma_cm_id *cm)
{
    struct id *id = (struct id *)cm;
    struct events *events = (struct events *)cm->channel;
    pthread_mutex_lock(&control);
    for (struct id **at = &listeners; *at; at = &(*at)->next) {
        if (*at == id) {
            *at = id->next;
            break;
        }
    }
    struct event **at = &events->first, *last = NULL;
    while (*at) {
        struct event *event = *at;
        if (event->cm.id == cm) {
            *at = event->next;
            free(event);
        } else {
            last = event;
            at = &event->next;
        }
    }
    events->last = last;
    if (id->peer) {
        if (id->connected) raise(id->peer, NULL, RDMA_CM_EVENT_DISCONNECTED, 0, NULL, 0);
        id->peer->connected = 0;
        id->peer->peer = NULL;
    }
    pthread_mutex_unlock(&control);
    free(id);
    return 0;
}

static void use_device(struct rdma_cm_id *cm)
{
    cm->verbs = &verbs.context;
    cm->port_num = 1;
}

static void copy_address(struct sockaddr *to, const struct sockaddr *from)
{
    memcpy(to, from, from->sa_family == AF_INET ? sizeof(struct sockaddr_in) : sizeof(struct sockaddr_in6));
}

static in_port_t *port_of(struct sockaddr *address)
{
    return address->sa_family == AF_INET ? &((struct sockaddr_in *)address)->sin_port :
        &((struct sockaddr_in6 *)address)->sin6_port;
}

int rdma_bind_addr(struct rdma_cm_id *cm, struct sockaddr *address)
{
    use_device(cm);
    copy_address(&cm->route.addr.src_addr, address);
    if (!*port_of(&cm->route.addr.src_addr)) {
        *port_of(&cm->route.addr.src_addr) = htons(__atomic_add_fetch(&ports, 1, __ATOMIC_RELAXED));
    }
    return 0;
}

static int same(struct sockaddr *a, struct sockaddr *b)
{
    if (a->sa_family != b->sa_family || *port_of(a) != *port_of(b)) return 0;
    if (a->sa_family == AF_INET) {
        const uint32_t address = ((struct sockaddr_in *)a)->sin_addr.s_addr;
        return !address || address == ((struct sockaddr_in *)b)->sin_addr.s_addr;
    }
    return !memcmp(&((struct sockaddr_in6 *)a)->sin6_addr, &((struct sockaddr_in6 *)b)->sin6_addr, 16);
}

static struct id *listener_at(struct sockaddr *address)
{
    struct id *id = listeners;
    while (id && !same(&id->cm.route.addr.src_addr, address)) id = id->next;
    return id;
}

int rdma_listen(struct rdma_cm_id *cm, int backlog)
{
    struct id *id = (struct id *)cm;
    int result = 0;
    pthread_mutex_lock(&control);
    if (listener_at(&cm->route.addr.src_addr)) {
        errno = EADDRINUSE;
        result = -1;
    } else {
        id->listening = 1;
        id->next = listeners;
        listeners = id;
    }
    pthread_mutex_unlock(&control);
    return result;
}

int rdma_resolve_addr(struct rdma_cm_id *cm, struct sockaddr *from, struct sockaddr *to, int timeout)
{
    pthread_mutex_lock(&control);
    use_device(cm);
    copy_address(&cm->route.addr.src_addr, from ? from : to);
    copy_address(&cm->route.addr.dst_addr, to);
    raise((struct id *)cm, NULL, RDMA_CM_EVENT_ADDR_RESOLVED, 0, NULL, 0);
    pthread_mutex_unlock(&control);
    return 0;
}

int rdma_resolve_route(struct rdma_cm_id *cm, int timeout)
{
    pthread_mutex_lock(&control);
    raise((struct id *)cm, NULL, RDMA_CM_EVENT_ROUTE_RESOLVED, 0, NULL, 0);
    pthread_mutex_unlock(&control);
    return 0;
}

int rdma_create_qp(struct rdma_cm_id *cm, struct ibv_pd *pd, struct ibv_qp_init_attr *attr)
{
    if (attr->cap.max_inline_data > MOST_INLINE) {
        errno = EINVAL;
        return -1;
    }
    struct pair *pair = calloc(1, sizeof *pair);
    unsigned receives = 1;
    while (receives < attr->cap.max_recv_wr) receives *= 2;
    pair->receives = calloc(receives, sizeof *pair->receives);
    pair->receive_mask = receives - 1;
    pair->wqes = aligned_alloc(BLOCK, WQES);
    pair->verbs.context = cm->verbs;
    pair->verbs.pd = pd;
    pair->verbs.send_cq = attr->send_cq;
    pair->verbs.recv_cq = attr->recv_cq;
    pair->verbs.qp_num = __atomic_add_fetch(&numbers, 1, __ATOMIC_RELAXED);
    pair->verbs.qp_type = attr->qp_type;
    pair->verbs.state = IBV_QPS_INIT;
    cm->qp = &pair->verbs;
    pthread_mutex_lock(&control);
    pair->next = pairs;
    pairs = pair;
    pthread_mutex_unlock(&control);
    return 0;
}

void rdma_destroy_qp(struct rdma_cm_id *cm)
{
    struct pair *pair = (struct pair *)cm->qp;
    if (pair) to_error(pair);
    cm->qp = NULL;
}

int rdma_connect(struct rdma_cm_id *cm, struct rdma_conn_param *param)
{
    struct id *id = (struct id *)cm;
    pthread_mutex_lock(&control);
    struct id *listener = listener_at(&cm->route.addr.dst_addr);
    if (!listener) {
        raise(id, NULL, RDMA_CM_EVENT_REJECTED, 8, NULL, 0);
    } else {
        struct id *made = make_id(listener->cm.channel, listener->cm.context);
        use_device(&made->cm);
        copy_address(&made->cm.route.addr.src_addr, &cm->route.addr.dst_addr);
        copy_address(&made->cm.route.addr.dst_addr, &cm->route.addr.src_addr);
        made->peer = id;
        id->peer = made;
        raise(made, listener, RDMA_CM_EVENT_CONNECT_REQUEST, 0, param, 56);
    }
    pthread_mutex_unlock(&control);
    return 0;
}

int rdma_accept(struct rdma_cm_id *cm, struct rdma_conn_param *param)
{
    struct id *id = (struct id *)cm;
    int result = 0;
    pthread_mutex_lock(&control);
    if (!id->peer || !id->peer->cm.qp || !cm->qp) {
        errno = EINVAL;
        result = -1;
    } else {
        struct pair *own = (struct pair *)cm->qp, *other = (struct pair *)id->peer->cm.qp;
        own->peer = other;
        other->peer = own;
        own->verbs.state = other->verbs.state = IBV_QPS_RTS;
        id->connected = id->peer->connected = 1;
        raise(id->peer, NULL, RDMA_CM_EVENT_ESTABLISHED, 0, param, 196);
        raise(id, NULL, RDMA_CM_EVENT_ESTABLISHED, 0, NULL, 0);
    }
    pthread_mutex_unlock(&control);
    return result;
}

int rdma_reject(struct rdma_cm_id *cm, const void *data, uint8_t length)
{
    struct id *id = (struct id *)cm;
    const struct rdma_conn_param param = {.private_data = data, .private_data_len = length};
    pthread_mutex_lock(&control);
    if (id->peer) {
        raise(id->peer, NULL, RDMA_CM_EVENT_REJECTED, 28, &param, 148);
        id->peer->peer = NULL;
        id->peer = NULL;
    }
    pthread_mutex_unlock(&control);
    return 0;
}

int rdma_disconnect(struct rdma_cm_id *cm)
{
    struct id *id = (struct id *)cm;
    if (cm->qp) to_error((struct pair *)cm->qp);
    pthread_mutex_lock(&control);
    if (id->connected) {
        raise(id, NULL, RDMA_CM_EVENT_DISCONNECTED, 0, NULL, 0);
        if (id->peer) {
            raise(id->peer, NULL, RDMA_CM_EVENT_DISCONNECTED, 0, NULL, 0);
            id->peer->connected = 0;
        }
        id->connected = 0;
    }
    pthread_mutex_unlock(&control);
    return 0;
}

int rdma_set_option(struct rdma_cm_id *cm, int level, int option, void *value, size_t length) { return 0; }

__be16 rdma_get_src_port(struct rdma_cm_id *cm) { return *port_of(&cm->route.addr.src_addr); }

const char *rdma_event_str(enum rdma_cm_event_type type) { return "an event"; }

struct ibv_context **rdma_get_devices(int *count)
{
    if (count) *count = 1;
    return context_list;
}

void rdma_free_devices(struct ibv_context **list) {}

/* ---- for the measurement ---- */

/* Sums over all queues: posts, requests, inline, signaled, work-request and payload bytes fetched, polls, empty polls,
   completions polled. Approximate while threads post. */
void gannet_fake_totals(uint64_t out[9])
{
    memset(out, 0, 9 * sizeof *out);
    pthread_mutex_lock(&control);
    for (const struct pair *pair = pairs; pair; pair = pair->next) {
        for (int i = 0; i < 6; i++) out[i] += (&pair->posts)[i];
    }
    for (const struct queue *queue = queues; queue; queue = queue->next) {
        for (int i = 0; i < 3; i++) out[6 + i] += (&queue->polls)[i];
    }
    pthread_mutex_unlock(&control);
}
