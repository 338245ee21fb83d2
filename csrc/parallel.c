/* The only file with OpenMP pragmas. One thread never enters OpenMP, which keeps it safe after a fork.
 *
 * ThreadSanitizer does not understand OpenMP's own waiting: built for it (NOGO_PTHREADS), plain threads take its place. */
#include "parallel.h"

#include <pthread.h>

#if defined(_OPENMP) || defined(NOGO_PTHREADS)
#ifdef _OPENMP
int nogo_openmp(void) { return _OPENMP; }
#else
int nogo_openmp(void) { return 1; }
#endif

static void *gate_pass(void *gate)
{
    pthread_mutex_lock(gate);
    pthread_mutex_unlock(gate);
    return NULL;
}

/* Starts the threads for real, all at once: they wait at a gate until the last one is there. */
nogo_status nogo_threads_probe(int threads)
{
    if (threads < 1 || threads > NOGO_MAX_THREADS)
        return NOGO_E_ARGUMENT;
    pthread_mutex_t gate = PTHREAD_MUTEX_INITIALIZER;
    pthread_t started[NOGO_MAX_THREADS];
    int count = 0;
    pthread_mutex_lock(&gate);
    while (count < threads - 1 && !pthread_create(&started[count], NULL, gate_pass, &gate))
        count++;
    pthread_mutex_unlock(&gate);
    for (int i = 0; i < count; i++)
        pthread_join(started[i], NULL);
    return count == threads - 1 ? NOGO_OK : NOGO_E_NOMEM;
}
#else
int nogo_openmp(void) { return 0; }

nogo_status nogo_threads_probe(int threads) { return threads == 1 ? NOGO_OK : NOGO_E_ARGUMENT; }
#endif

/* ---- the same work on several threads ---- */

#if defined(NOGO_PTHREADS)
typedef struct {
    void (*work)(void *context, int number);
    void *context;
    int number;
} ThreadWork;

static void *thread_run(void *work)
{
    ThreadWork *own = work;
    own->work(own->context, own->number);
    return NULL;
}

void parallel_each(int threads, void (*work)(void *context, int number), void *context)
{
    pthread_t started[NOGO_MAX_THREADS];
    ThreadWork works[NOGO_MAX_THREADS];
    bool runs[NOGO_MAX_THREADS] = {false};
    for (int i = 0; i < threads; i++) {
        works[i] = (ThreadWork){work, context, i};
        runs[i] = i > 0 && !pthread_create(&started[i], NULL, thread_run, &works[i]);
    }
    for (int i = 0; i < threads; i++)
        if (!runs[i])
            work(context, i);
    for (int i = 0; i < threads; i++)
        if (runs[i])
            pthread_join(started[i], NULL);
}
#else
void parallel_each(int threads, void (*work)(void *context, int number), void *context)
{
    if (threads == 1) {
        work(context, 0);
        return;
    }
#ifdef _OPENMP
#pragma omp parallel for num_threads(threads) schedule(static, 1)
#endif
    for (int number = 0; number < threads; number++)
        work(context, number);
}
#endif

/* ---- playouts ---- */

static void totals_add(Totals *sum, const Totals *part)
{
    sum->games += part->games;
    sum->moves += part->moves;
    for (int i = 0; i < NOGO_MAX_OUTCOMES; i++)
        sum->outcomes[i] += part->outcomes[i];
    for (int player = 0; player < 2; player++)
        for (int move = 0; move < NOGO_MAX_MOVES; move++) {
            sum->amaf_games[player][move] += part->amaf_games[player][move];
            sum->amaf_reward[player][move] += part->amaf_reward[player][move];
        }
}

void played_add(const Played *played, int reward, Totals *totals)
{
    for (int player = 0; player < 2; player++) {
        Bits moves = played->by[player];
        while (bits_any(moves)) {
            int move = bits_pop(&moves);
            totals->amaf_games[player][move]++;
            totals->amaf_reward[player][move] += (uint64_t)reward;
        }
    }
}

void singly_playouts(const Game *game, const State *state, const nogo_playout_job *job, Totals *totals)
{
    for (uint64_t i = 0; i < job->count; i++) {
        Rng rng = rng_stream(job->seed, job->first + i);
        State end = *state;
        Played played;
        int outcome = game->kernels->ways[job->way].one(game, &end, &rng, &played);
        totals->games++;
        totals->outcomes[outcome]++;
        totals->moves += (unsigned)played.moves;
        if (job->amaf)
            played_add(&played, game->rules->reward(outcome), totals);
    }
}

static void block_play(const Game *game, const State *state, const nogo_playout_job *job, int64_t number, Totals *totals)
{
    uint64_t done = (uint64_t)number * NOGO_BLOCK, left = job->count - done;
    nogo_playout_job part = *job;
    part.first += done;
    part.count = left < NOGO_BLOCK ? left : NOGO_BLOCK;
    const PlayoutWay *way = &game->kernels->ways[job->way];
    if (!way->block) {
        singly_playouts(game, state, &part, totals);
        return;
    }
    PlayoutBlock block = {part.seed, part.first, (int)part.count, part.amaf != 0};
    way->block(game, state, &block, totals);
}

typedef struct {
    const Game *game;
    const State *state;
    const nogo_playout_job *job;
    int64_t blocks, next; /* next: the block to be played next, taken by whichever thread is free */
    pthread_mutex_t lock; /* of totals */
    Totals *totals;
} Playing;

static void blocks_play(void *context, int number)
{
    Playing *p = context;
    Totals own = {0};
    (void)number;
    for (int64_t block; (block = __atomic_fetch_add(&p->next, 1, __ATOMIC_RELAXED)) < p->blocks;)
        block_play(p->game, p->state, p->job, block, &own);
    pthread_mutex_lock(&p->lock);
    totals_add(p->totals, &own);
    pthread_mutex_unlock(&p->lock);
}

void parallel_playouts(const Game *game, const State *state, const nogo_playout_job *job, Totals *totals)
{
    int64_t blocks = (int64_t)((job->count + NOGO_BLOCK - 1) / NOGO_BLOCK);
    Playing playing = {game, state, job, blocks, 0, PTHREAD_MUTEX_INITIALIZER, totals};
    if (job->threads > 1) {
        parallel_each(job->threads, blocks_play, &playing);
        return;
    }
    for (int64_t number = 0; number < blocks; number++)
        block_play(game, state, job, number, totals);
}
