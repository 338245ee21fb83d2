/* MCTS-Solver (Winands, Bjornsson, Saito 2008): results that are known for sure are backed up as such. Proven results are
 * absolute (the first player wins, the second, a draw), so nothing has to be turned around on the way. */
#include "search.h"

int outcome_proven(const Game *game, int outcome)
{
    int winner = game->rules->winner(outcome);
    return winner < 0 ? NOGO_DRAWN : winner == NOGO_FIRST ? NOGO_FIRST_WINS : NOGO_SECOND_WINS;
}

/* Chance proves a result only when all its throws have it. */
static int chance_proven(const uint8_t *status, int count)
{
    int first = SHARED_LOAD(&status[0]);
    for (int i = 1; i < count; i++)
        if (SHARED_LOAD(&status[i]) != first)
            return NOGO_OPEN;
    return first;
}

/* A winning move is enough; else all moves must be known, and a draw is better than a loss. */
static int mover_proven(const uint8_t *status, int count, int turn)
{
    int win = turn == NOGO_FIRST ? NOGO_FIRST_WINS : NOGO_SECOND_WINS;
    int loss = turn == NOGO_FIRST ? NOGO_SECOND_WINS : NOGO_FIRST_WINS;
    bool all = true, draw = false;
    for (int i = 0; i < count; i++) {
        int known = SHARED_LOAD(&status[i]);
        if (known == win)
            return win;
        all &= known == loss || known == NOGO_DRAWN;
        draw |= known == NOGO_DRAWN;
    }
    return !all ? NOGO_OPEN : draw ? NOGO_DRAWN : loss;
}

void solver_prove(const Search *search, Tree *tree, const Path *path, int proven)
{
    (void)search;
    for (int i = path->length - 1; i >= 0 && proven != NOGO_OPEN; i--) {
        Node *node = tree_node(tree, path->steps[i].node);
        Edges e = node_edges(tree, node);
        SHARED_STORE(&e.status[path->steps[i].edge], (uint8_t)proven);
        SHARED_STORE(&node->barred, 1);
        proven = node->turn == NOGO_CHANCE ? chance_proven(e.status, node->count) : mover_proven(e.status, node->count, node->turn);
        if (proven != NOGO_OPEN)
            SHARED_STORE(&node->proven, (uint8_t)proven);
    }
}
