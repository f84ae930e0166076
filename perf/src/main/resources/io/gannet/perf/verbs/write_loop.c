/*
 * Two threads of one process write to each other in turns, over connections of rdma_cm: the loop of
 * `gannet perf verbs` in C, without Gannet. Prints minimum, median and number of half round trips in nanoseconds.
 *
 *   write_loop ADDRESS ADDRESS write|imm BYTES INLINE MILLISECONDS YIELD
 *
 * write: plain writes, seen in memory (what ib_write_lat does). imm: writes with immediates, seen as completions of
 * receives. The answer goes first: sends' completions are polled, and receives posted again in chains as Gannet's
 * engine does, while the next one is on its way. YIELD is 1 to yield after SPINS
 * looks in vain, else it looks on.
 */
#include <arpa/inet.h>
#include <netdb.h>
#include <pthread.h>
#include <rdma/rdma_cma.h>
#include <sched.h>
#include <stdio.h>
#include <stdlib.h>
#include <string.h>
#include <time.h>

enum { DEPTH = 128, SIGNAL = 16, POLL = 16, CHAIN = 16, SPINS = 1000, GLANCES = 16, MOST_SAMPLES = 1 << 22 };

struct end {
    struct rdma_cm_id *id;
    struct ibv_pd *pd;
    struct ibv_cq *sends, *receives;
    struct ibv_mr *mr;
    volatile uint8_t *memory;
    unsigned posted, unconfirmed, used;
    struct ibv_recv_wr chain[CHAIN];
};

static struct end a, b;
static uint32_t bytes, most_inline;
static int with_imm, yields;
static volatile int running = 1;

static void fail(const char *what)
{
    perror(what);
    exit(3);
}

static int64_t now(void)
{
    struct timespec time;
    clock_gettime(CLOCK_MONOTONIC, &time);
    return time.tv_sec * 1000000000LL + time.tv_nsec;
}

static struct rdma_cm_id *await(struct rdma_event_channel *channel, enum rdma_cm_event_type type)
{
    for (;;) {
        struct rdma_cm_event *event;
        if (rdma_get_cm_event(channel, &event)) fail("rdma_get_cm_event");
        const enum rdma_cm_event_type got = event->event;
        struct rdma_cm_id *id = event->id;
        rdma_ack_cm_event(event);
        if (got == type) return id;
        if (got == RDMA_CM_EVENT_REJECTED || got == RDMA_CM_EVENT_ADDR_ERROR || got == RDMA_CM_EVENT_ROUTE_ERROR ||
            got == RDMA_CM_EVENT_UNREACHABLE || got == RDMA_CM_EVENT_CONNECT_ERROR) {
            fprintf(stderr, "%s instead of %s\n", rdma_event_str(got), rdma_event_str(type));
            exit(3);
        }
    }
}

static void receive_chain(struct end *end)
{
    struct ibv_recv_wr *bad;
    if (ibv_post_recv(end->id->qp, end->chain, &bad)) fail("ibv_post_recv");
}

static void prepare(struct end *end)
{
    end->pd = ibv_alloc_pd(end->id->verbs);
    end->sends = ibv_create_cq(end->id->verbs, DEPTH, NULL, NULL, 0);
    end->receives = ibv_create_cq(end->id->verbs, DEPTH, NULL, NULL, 0);
    end->memory = aligned_alloc(4096, (2 * bytes + 8191) & -4096);
    memset((void *)end->memory, 0, 2 * bytes);
    end->mr = ibv_reg_mr(end->pd, (void *)end->memory, 2 * bytes, IBV_ACCESS_LOCAL_WRITE | IBV_ACCESS_REMOTE_WRITE);
    struct ibv_qp_init_attr init = {.send_cq = end->sends, .recv_cq = end->receives, .qp_type = IBV_QPT_RC, .cap = {
        .max_send_wr = DEPTH, .max_recv_wr = DEPTH, .max_send_sge = 1, .max_recv_sge = 1,
        .max_inline_data = bytes <= most_inline ? bytes : 0}};
    if (!end->pd || !end->sends || !end->receives || !end->mr) fail("verbs objects");
    if (rdma_create_qp(end->id, end->pd, &init)) fail("rdma_create_qp");
    for (int i = 0; i + 1 < CHAIN; i++) end->chain[i].next = &end->chain[i + 1];
    if (with_imm) for (int i = 0; i < DEPTH; i += CHAIN) receive_chain(end);
}

static void write_to(struct end *own, struct end *other, uint8_t number)
{
    own->memory[bytes - 1] = number;
    own->posted++;
    const int signaled = own->posted % SIGNAL == 0;
    struct ibv_sge sge = {.addr = (uintptr_t)own->memory, .length = bytes, .lkey = own->mr->lkey};
    struct ibv_send_wr wr = {.wr_id = own->posted, .sg_list = &sge, .num_sge = 1,
        .opcode = with_imm ? IBV_WR_RDMA_WRITE_WITH_IMM : IBV_WR_RDMA_WRITE,
        .send_flags = (signaled ? IBV_SEND_SIGNALED : 0) | (bytes <= most_inline ? IBV_SEND_INLINE : 0),
        .imm_data = htonl(number), .wr.rdma = {.remote_addr = (uintptr_t)other->memory + bytes, .rkey = other->mr->rkey}};
    struct ibv_send_wr *bad;
    if (ibv_post_send(own->id->qp, &wr, &bad)) fail("ibv_post_send");
    own->unconfirmed += signaled;
}

/* What can be done while the peer has its turn. */
static void tidy(struct end *own)
{
    struct ibv_wc wc[POLL];
    if (own->unconfirmed) {
        const int count = ibv_poll_cq(own->sends, POLL, wc);
        for (int i = 0; i < count; i++) {
            if (wc[i].status) {
                fprintf(stderr, "a write ended with status %d\n", wc[i].status);
                exit(3);
            }
            own->unconfirmed--;
        }
    }
    if (own->used == CHAIN) {
        receive_chain(own);
        own->used = 0;
    }
}

static int wait_for(struct end *own, uint8_t number)
{
    struct ibv_wc wc;
    for (int looks = 1;; looks++) {
        if (with_imm) {
            const int count = ibv_poll_cq(own->receives, 1, &wc);
            if (count < 0 || (count == 1 && (wc.status || ntohl(wc.imm_data) != number))) {
                fprintf(stderr, "a receive ended with status %d\n", wc.status);
                exit(3);
            }
            if (count == 1) {
                own->used++;
                return 1;
            }
        } else {
            for (int i = 0; i < GLANCES; i++) if (own->memory[2 * bytes - 1] == number) return 1;
        }
        if (!running) return 0;
        if (yields && looks >= SPINS) {
            sched_yield();
            looks = 0;
        }
    }
}

static void *answer(void *unused)
{
    for (uint8_t number = 1; wait_for(&b, number); number++) {
        write_to(&b, &a, number);
        tidy(&b);
    }
    return NULL;
}

static int by_size(const void *one, const void *two)
{
    const uint32_t x = *(const uint32_t *)one, y = *(const uint32_t *)two;
    return x < y ? -1 : x > y;
}

static struct addrinfo *address_of(const char *name)
{
    struct addrinfo *found;
    const struct addrinfo hints = {.ai_flags = AI_NUMERICHOST, .ai_socktype = SOCK_STREAM};
    if (getaddrinfo(name, "0", &hints, &found)) fail(name);
    return found;
}

int main(int count, char **arguments)
{
    if (count != 8) return 2;
    with_imm = !strcmp(arguments[3], "imm");
    bytes = atoi(arguments[4]);
    most_inline = atoi(arguments[5]);
    const int64_t duration = atoll(arguments[6]) * 1000000LL;
    yields = atoi(arguments[7]);

    struct rdma_event_channel *of_a = rdma_create_event_channel(), *of_b = rdma_create_event_channel();
    if (!of_a || !of_b) fail("rdma_create_event_channel");
    struct rdma_cm_id *listener;
    if (rdma_create_id(of_b, &listener, NULL, RDMA_PS_TCP) ||
        rdma_bind_addr(listener, address_of(arguments[2])->ai_addr) || rdma_listen(listener, 1)) fail("listen");
    struct addrinfo *to = address_of(arguments[2]);
    ((struct sockaddr_in *)to->ai_addr)->sin_port = rdma_get_src_port(listener);
    if (rdma_create_id(of_a, &a.id, NULL, RDMA_PS_TCP) ||
        rdma_resolve_addr(a.id, address_of(arguments[1])->ai_addr, to->ai_addr, 2000)) fail("rdma_resolve_addr");
    await(of_a, RDMA_CM_EVENT_ADDR_RESOLVED);
    if (rdma_resolve_route(a.id, 2000)) fail("rdma_resolve_route");
    await(of_a, RDMA_CM_EVENT_ROUTE_RESOLVED);
    prepare(&a);
    struct rdma_conn_param param = {.retry_count = 6, .rnr_retry_count = 6};
    if (rdma_connect(a.id, &param)) fail("rdma_connect");
    b.id = await(of_b, RDMA_CM_EVENT_CONNECT_REQUEST);
    prepare(&b);
    if (rdma_accept(b.id, &param)) fail("rdma_accept");
    await(of_a, RDMA_CM_EVENT_ESTABLISHED);
    await(of_b, RDMA_CM_EVENT_ESTABLISHED);

    uint32_t *halves = malloc(MOST_SAMPLES * sizeof *halves);
    int samples = 0;
    pthread_t thread;
    if (pthread_create(&thread, NULL, answer, NULL)) fail("pthread_create");
    const int64_t warm = now() + duration / 4, end = warm + duration;
    uint8_t number = 0;
    for (int64_t start = now(); start < end && samples < MOST_SAMPLES;) {
        number++;
        write_to(&a, &b, number);
        tidy(&a);
        wait_for(&a, number);
        const int64_t after = now();
        if (start > warm) halves[samples++] = (after - start) / 2;
        start = after;
    }
    running = 0;
    pthread_join(thread, NULL);
    qsort(halves, samples, sizeof *halves, by_size);
    printf("%u %u %d\n", samples ? halves[0] : 0, samples ? halves[samples / 2] : 0, samples);
    return 0;
}
