/*
 * Fills and posts one inline WRITE_WITH_IMM after the other on the fake device, every sixteenth signaled. Prints
 * nanoseconds per post.
 *
 *   post_loop bare|same BYTES DEPTH POSTS
 *
 * bare: fills one request and posts it, nothing beyond the queue's depth. same: has the duties of Gannet's binding, as
 * a library in C would have them: requests go to a batch, of which a doorbell posts what fits; lengths are checked; a
 * slot is free again when a completion of its request or a later one was polled, maybe by another thread, whatever the
 * caller's wr_id is; several queue pairs may share a completion queue; requests that are refused are dropped and
 * counted.
 */
#include <arpa/inet.h>
#include <errno.h>
#include <rdma/rdma_cma.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { SIGNAL = 16, POLL = 16 };

/* A function as a library has it: its callers know nothing of its code, nor it of theirs. */
#define LIBRARY __attribute__((noipa))

/* ---- bare ---- */

static struct ibv_send_wr wr;
static struct ibv_sge sge;
static uint64_t posted, reclaimed;

__attribute__((noinline)) static int post(struct ibv_qp *qp, uint64_t id, int flags, uint64_t local, uint32_t length,
    uint32_t lkey, uint64_t remote, uint32_t rkey, uint32_t imm, uint32_t depth)
{
    if (posted - reclaimed >= depth) return -1;
    sge.addr = local;
    sge.length = length;
    sge.lkey = lkey;
    wr.wr_id = id;
    wr.next = NULL;
    wr.sg_list = &sge;
    wr.num_sge = 1;
    wr.opcode = IBV_WR_RDMA_WRITE_WITH_IMM;
    wr.send_flags = flags;
    wr.imm_data = htonl(imm);
    wr.wr.rdma.remote_addr = remote;
    wr.wr.rdma.rkey = rkey;
    struct ibv_send_wr *bad = NULL;
    const int result = ibv_post_send(qp, &wr, &bad);
    if (!result) posted++;
    return result;
}

static int poll(struct ibv_cq *cq)
{
    static struct ibv_wc wc[POLL];
    const int count = ibv_poll_cq(cq, POLL, wc);
    for (int i = 0; i < count; i++) {
        if (wc[i].status != IBV_WC_SUCCESS) return -1;
        reclaimed = wc[i].wr_id;
    }
    return count;
}

/* ---- the same as the binding ---- */

struct request { struct ibv_send_wr wr; struct ibv_sge sge; char pad[48]; };

struct send_queue {
    struct ibv_qp *qp;
    volatile int usable;
    int depth, most_inline, most_message, count, most, refusal, accepted;
    uint64_t posted, limit, tail;
    struct request *requests;
    uint64_t *signaled;
    uint64_t mask;
    char pad1[128];
    volatile uint64_t reclaimed;
    uint64_t completions, received;
    char pad2[128];
};

LIBRARY static void add(struct send_queue *queue, enum ibv_wr_opcode opcode, uint64_t id, int flags,
    uint64_t local, int length, uint32_t lkey, uint64_t remote, uint32_t rkey, uint32_t imm)
{
    const int index = queue->count;
    if (index >= queue->most || length < 0 ||
        length > (flags & IBV_SEND_INLINE ? queue->most_inline : queue->most_message)) {
        if (!queue->refusal) {
            queue->refusal = index >= queue->depth ? ENOMEM : EINVAL;
            queue->most = index;
        }
        return;
    }
    struct request *request = &queue->requests[index];
    request->wr.wr_id = id;
    request->wr.next = NULL;
    request->wr.num_sge = length != 0;
    request->wr.opcode = opcode;
    request->wr.send_flags = flags;
    request->wr.imm_data = htonl(imm);
    request->wr.wr.rdma.remote_addr = remote;
    request->wr.wr.rdma.rkey = rkey;
    request->sge.addr = local;
    request->sge.length = length;
    request->sge.lkey = lkey;
    if (index) request[-1].wr.next = &request->wr;
    queue->count = index + 1;
    if (flags & IBV_SEND_SIGNALED) {
        __atomic_store_n(&queue->signaled[queue->tail++ & queue->mask], queue->posted + queue->count, __ATOMIC_RELEASE);
    }
}

__attribute__((noinline)) static int ring_unusually(struct send_queue *queue, struct ibv_send_wr *bad)
{
    queue->accepted = bad ? (struct request *)bad - queue->requests : 0;
    queue->posted += queue->accepted;
    while (queue->tail && queue->signaled[(queue->tail - 1) & queue->mask] > queue->posted) queue->tail--;
    queue->count = 0;
    queue->most = queue->depth;
    queue->refusal = 0;
    return ENOMEM;
}

LIBRARY static int ring_doorbell(struct send_queue *queue)
{
    const int count = queue->count;
    if (!queue->usable || count <= 0 || queue->refusal) return ring_unusually(queue, NULL);
    if (queue->posted + count > queue->limit) {
        queue->limit = __atomic_load_n(&queue->reclaimed, __ATOMIC_ACQUIRE) + queue->depth;
        if (queue->posted + count > queue->limit) return ring_unusually(queue, NULL);
    }
    struct ibv_send_wr *bad = NULL;
    if (ibv_post_send(queue->qp, &queue->requests[0].wr, &bad)) return ring_unusually(queue, bad);
    queue->posted += count;
    queue->count = 0;
    queue->accepted = count;
    return 0;
}

/* Send queues of the queue pairs of a completion queue, by number; a power of two of slots, never full. */
static struct send_queue **table;
static uint32_t table_mask;

LIBRARY static int poll_and_confirm(struct ibv_cq *cq, struct ibv_wc *wc, int most)
{
    const int count = ibv_poll_cq(cq, most, wc);
    if (count < 0 || count > most) return -1;
    for (int i = 0; i < count; i++) {
        uint32_t slot = wc[i].qp_num * 0x9E3779B9u >> 8 & table_mask;
        while (table[slot] && table[slot]->qp->qp_num != wc[i].qp_num) slot = (slot + 1) & table_mask;
        struct send_queue *queue = table[slot];
        if (!queue) continue;
        if (wc[i].status != IBV_WC_SUCCESS) {
            queue->usable = 0;
        } else if (wc[i].opcode & IBV_WC_RECV) {
            queue->received++;
        } else {
            const uint64_t number =
                __atomic_load_n(&queue->signaled[queue->completions++ & queue->mask], __ATOMIC_ACQUIRE);
            __atomic_store_n(&queue->reclaimed, number, __ATOMIC_RELEASE);
        }
    }
    return count;
}

static struct send_queue *make_queue(struct ibv_qp *qp, int depth, int most_inline)
{
    struct send_queue *queue = aligned_alloc(128, (sizeof *queue + 127) & -128);
    memset(queue, 0, sizeof *queue);
    queue->qp = qp;
    queue->usable = 1;
    queue->depth = queue->most = depth;
    queue->limit = depth;
    queue->most_inline = most_inline;
    queue->most_message = 1 << 30;
    uint64_t size = 2;
    while (size <= 2 * (uint64_t)depth) size *= 2;
    queue->signaled = calloc(size, sizeof *queue->signaled);
    queue->mask = size - 1;
    queue->requests = aligned_alloc(64, depth * sizeof *queue->requests);
    memset(queue->requests, 0, depth * sizeof *queue->requests);
    for (int i = 0; i < depth; i++) queue->requests[i].wr.sg_list = &queue->requests[i].sge;
    table_mask = 3;
    table = calloc(table_mask + 1, sizeof *table);
    table[qp->qp_num * 0x9E3779B9u >> 8 & table_mask] = queue;
    return queue;
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static int64_t run(struct ibv_qp *qp, struct ibv_cq *cq, char *memory, uint32_t bytes, uint32_t depth, uint64_t posts)
{
    const uint64_t base = posted;
    const int64_t start = now();
    for (uint64_t i = 0; i < posts; i += SIGNAL) {
        for (int j = 1; j <= SIGNAL; j++) {
            if (post(qp, base + i + j, IBV_SEND_INLINE | (j == SIGNAL ? IBV_SEND_SIGNALED : 0),
                    (uint64_t)(uintptr_t)memory, bytes, 1, (uint64_t)(uintptr_t)memory + 4096, 2, i + j, depth)) exit(3);
        }
        if (poll(cq) < 0) exit(4);
    }
    return now() - start;
}

static inline void post_same(struct send_queue *queue, uint64_t id, int flags, uint64_t local, int bytes)
{
    add(queue, IBV_WR_RDMA_WRITE_WITH_IMM, id, flags, local, bytes, 1, local + 4096, 2, id);
    if (ring_doorbell(queue)) exit(3);
}

static int64_t run_same(struct send_queue *queue, struct ibv_cq *cq, char *memory, uint32_t bytes, uint64_t posts)
{
    static struct ibv_wc wc[POLL];
    const uint64_t local = (uint64_t)(uintptr_t)memory;
    const int64_t start = now();
    for (uint64_t i = 0; i < posts; i += SIGNAL) {
        for (int j = 1; j < SIGNAL; j++) post_same(queue, i + j, IBV_SEND_INLINE, local, bytes);
        post_same(queue, i + SIGNAL, IBV_SEND_INLINE | IBV_SEND_SIGNALED, local, bytes);
        const int count = poll_and_confirm(cq, wc, POLL);
        if (count < 0) exit(4);
        for (int k = 0; k < count; k++) if (wc[k].status != IBV_WC_SUCCESS) exit(4);
    }
    return now() - start;
}

int main(int count, char **arguments)
{
    if (count != 5) return 2;
    const int same = !strcmp(arguments[1], "same");
    const uint32_t bytes = atoi(arguments[2]), depth = atoi(arguments[3]);
    const uint64_t posts = strtoull(arguments[4], NULL, 10);
    const uint64_t warm_up = posts / 4;
    struct rdma_event_channel *channel = rdma_create_event_channel();
    struct rdma_cm_id *id;
    struct sockaddr_in address = {.sin_family = AF_INET, .sin_addr.s_addr = htonl(INADDR_LOOPBACK)};
    if (rdma_create_id(channel, &id, NULL, RDMA_PS_TCP) || rdma_bind_addr(id, (struct sockaddr *)&address)) return 3;
    struct ibv_pd *pd = ibv_alloc_pd(id->verbs);
    struct ibv_cq *cq = ibv_create_cq(id->verbs, depth, NULL, NULL, 0);
    struct ibv_qp_init_attr init = {.send_cq = cq, .recv_cq = cq, .qp_type = IBV_QPT_RC,
        .cap = {.max_send_wr = depth, .max_recv_wr = depth, .max_send_sge = 1, .max_recv_sge = 1, .max_inline_data = 220}};
    if (rdma_create_qp(id, pd, &init)) return 3;
    struct ibv_qp_attr ready = {.qp_state = IBV_QPS_RTS};
    ibv_modify_qp(id->qp, &ready, IBV_QP_STATE);
    char *memory = aligned_alloc(4096, 8192);
    memset(memory, 1, 8192);
    int64_t nanos;
    if (same) {
        struct send_queue *queue = make_queue(id->qp, depth, 220);
        run_same(queue, cq, memory, bytes, warm_up);
        nanos = run_same(queue, cq, memory, bytes, posts);
    } else {
        run(id->qp, cq, memory, bytes, depth, warm_up);
        nanos = run(id->qp, cq, memory, bytes, depth, posts);
    }
    printf("%.3f\n", (double)nanos / posts);
    return 0;
}
