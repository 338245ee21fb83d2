/* The only file with OpenMP pragmas: playout batches. One thread never enters OpenMP, which keeps it safe after a fork. */
#include "parallel.h"

#ifdef _OPENMP
#include <pthread.h>

int nogo_openmp(void) { return _OPENMP; }

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

static void block_play(const Game *game, const State *state, const nogo_playout_job *job, int64_t number, Totals *totals)
{
    uint64_t done = (uint64_t)number * NOGO_BLOCK, left = job->count - done;
    PlayoutBlock block = {job->seed, job->first + done, left < NOGO_BLOCK ? (int)left : NOGO_BLOCK, job->amaf != 0};
    game->kernels->ways[job->way].block(game, state, &block, totals);
}

void parallel_playouts(const Game *game, const State *state, const nogo_playout_job *job, Totals *totals)
{
    int64_t blocks = (int64_t)((job->count + NOGO_BLOCK - 1) / NOGO_BLOCK);
#ifdef _OPENMP
    if (job->threads > 1) {
#pragma omp parallel num_threads(job->threads)
        {
            Totals own = {0};
#pragma omp for schedule(dynamic) nowait
            for (int64_t number = 0; number < blocks; number++)
                block_play(game, state, job, number, &own);
#pragma omp critical
            totals_add(totals, &own);
        }
        return;
    }
#endif
    for (int64_t number = 0; number < blocks; number++)
        block_play(game, state, job, number, totals);
}
