/* Alpha-beta for every game without chance. Lines lie on a stack of frames, not in recursive calls, so a search pauses
 * after any node and goes on as if it had not. Values are the mover's: NOGO_ALPHABETA_WIN less the plies to the win,
 * the negative of that, 0 for a draw, and between them the game's evaluation, or 0 where it has none.
 *
 * Fixed depth is plain: moves in their order, no table, so the first of equal moves is played. Deepening and solving
 * remember positions in a table and look at promising moves first. */
#include "alphabeta.h"

#include <stdlib.h>
#include <string.h>

#define ALPHABETA_MAGIC 0x41426574u

enum {
    INFINITE = NOGO_ALPHABETA_WIN + 1,
    WON = NOGO_ALPHABETA_WIN - 2 * NOGO_MAX_DEPTH, /* what a win far below the root is still worth */
    MOST_EVALUATION = WON - 1,
    NO_MOVE = NOGO_MAX_MOVES,
    WAYS = 4 /* entries of the table that a key can go to: a cache line */
};

/* What an entry says: the value is at least, at most, or both; ENDED when every line behind it reached its end. */
enum { AT_LEAST = 1, AT_MOST = 2, ENDED = 4 };

typedef struct {
    uint64_t key;
    int32_t value;  /* the mover's; wins count from this position */
    uint8_t depth;  /* searched from here; 0 in an empty entry */
    uint8_t says;
    uint8_t move;   /* the best, or NO_MOVE */
    uint8_t age;    /* number of the search that wrote it */
} Entry;

typedef struct {
    State state;
    uint64_t key;
    int alpha, beta;
    int least;               /* alpha as it was: at most that means no move is known to reach it */
    int best;
    int depth;               /* left to search */
    int count, next;         /* of moves */
    int hint;                /* the move the table remembers, or NO_MOVE */
    int best_move;
    int length;              /* of line */
    bool ended;              /* no line below was cut off by depth */
    uint8_t moves[NOGO_MAX_MOVES];
    uint8_t line[NOGO_MAX_DEPTH];
} Frame;

struct nogo_alphabeta {
    uint32_t magic;
    const Game *game;
    nogo_alphabeta_mode mode;
    int ply;                 /* index of the frame at work */
    bool finished;
    uint64_t nodes;
    nogo_alphabeta_result result; /* of the deepest search completed */
    uint8_t age;
    uint64_t buckets;        /* a power of two, or 0 */
    Entry (*table)[WAYS];
    Frame frames[NOGO_MAX_DEPTH + 1];
};

bool alphabeta_is_ours(const AlphaBeta *search) { return search && search->magic == ALPHABETA_MAGIC; }
const Game *alphabeta_game(const AlphaBeta *search) { return search->game; }

/* ---- table ---- */

static bool uses_table(const AlphaBeta *s) { return s->buckets && s->mode != NOGO_ALPHABETA_FIXED; }

/* A win counts its plies from the root on the stack, and from its own position in the table. */
static int value_to_table(int value, int ply)
{
    return value >= WON ? value + ply : value <= -WON ? value - ply : value;
}

static int value_from_table(int value, int ply) { return value_to_table(value, -ply); }

static const Entry *table_find(const AlphaBeta *s, uint64_t key)
{
    const Entry *bucket = s->table[key & (s->buckets - 1)];
    for (int i = 0; i < WAYS; i++)
        if (bucket[i].key == key && bucket[i].depth)
            return &bucket[i];
    return NULL;
}

/* Its own entry, or else the one least worth keeping: of earlier searches first, then the shallowest. */
static Entry *table_place(AlphaBeta *s, uint64_t key)
{
    Entry *bucket = s->table[key & (s->buckets - 1)], *worst = bucket;
    int least = INFINITE;
    for (int i = 0; i < WAYS; i++) {
        if (bucket[i].key == key)
            return &bucket[i];
        int worth = bucket[i].depth + (bucket[i].age == s->age ? 2 * NOGO_MAX_DEPTH : 0);
        if (worth < least) {
            least = worth;
            worst = &bucket[i];
        }
    }
    return worst;
}

static void table_store(AlphaBeta *s, const Frame *f)
{
    int says = (f->best > f->least ? AT_LEAST : 0) | (f->best < f->beta ? AT_MOST : 0) | (f->ended ? ENDED : 0);
    *table_place(s, f->key) = (Entry){.key = f->key,
                                      .value = value_to_table(f->best, s->ply),
                                      .depth = (uint8_t)f->depth,
                                      .says = (uint8_t)says,
                                      .move = (uint8_t)f->best_move,
                                      .age = s->age};
}

/* Whether an entry settles a search of this depth and window; a win or a loss holds at any depth. */
static bool entry_settles(const Entry *entry, int depth, int alpha, int beta, int value)
{
    bool proven = value >= WON ? entry->says & AT_LEAST : value <= -WON ? entry->says & AT_MOST : false;
    if (entry->depth < depth && !(entry->says & ENDED) && !proven)
        return false;
    bool at_least = entry->says & AT_LEAST, at_most = entry->says & AT_MOST;
    return (at_least && at_most) || (at_least && value >= beta) || (at_most && value <= alpha);
}

/* ---- values ---- */

/* Of a finished game, to the side whose turn would be next. */
static int value_of_end(const AlphaBeta *s, const State *state, int ply)
{
    int winner = s->game->rules->winner(state->outcome);
    return winner < 0 ? 0 : winner == state->turn ? NOGO_ALPHABETA_WIN - ply : ply - NOGO_ALPHABETA_WIN;
}

static int value_by_sight(const AlphaBeta *s, const State *state)
{
    if (!s->game->rules->evaluate)
        return 0;
    int value = s->game->rules->evaluate(s->game, state);
    value = value > MOST_EVALUATION ? MOST_EVALUATION : value < -MOST_EVALUATION ? -MOST_EVALUATION : value;
    return state->turn == NOGO_FIRST ? value : -value;
}

/* Whether the value of a new frame is known without looking at its moves; then it is its best. */
static bool value_is_known(AlphaBeta *s, Frame *f, int ply)
{
    f->length = 0;
    f->ended = true;
    f->hint = NO_MOVE;
    if (f->state.outcome != NOGO_UNFINISHED) {
        f->best = value_of_end(s, &f->state, ply);
        return true;
    }
    if (f->depth == 0) {
        f->best = value_by_sight(s, &f->state);
        f->ended = false;
        return true;
    }
    if (!uses_table(s))
        return false;
    f->key = s->game->rules->key(s->game, &f->state);
    const Entry *entry = table_find(s, f->key);
    if (!entry)
        return false;
    f->hint = entry->move;
    f->best = value_from_table(entry->value, ply);
    bool settled = ply > 0 && entry_settles(entry, f->depth, f->alpha, f->beta, f->best);
    f->ended = !settled || entry->says & ENDED;
    return settled;
}

/* ---- moves ---- */

static void child_make(const AlphaBeta *s, const Frame *f, int move, Frame *child)
{
    child->state = f->state;
    s->game->rules->play(s->game, &child->state, move);
    child->alpha = -f->beta;
    child->beta = -f->alpha;
    child->depth = f->depth - 1;
}

/* How promising a position looks to the side that has just moved: by the evaluation, or by who has more moves. */
static int promise_of(const AlphaBeta *s, const State *child)
{
    if (child->outcome != NOGO_UNFINISHED)
        return -INFINITE; /* not a win: that would have sufficed */
    if (s->game->rules->evaluate)
        return -value_by_sight(s, child);
    uint8_t moves[NOGO_MAX_MOVES];
    const GameRules *rules = s->game->rules;
    return rules->moves(s->game, child, !child->turn, moves) - rules->moves(s->game, child, child->turn, moves);
}

/* Looks at each position a move leads to. The moves are sorted, best first; a move that is known to suffice, because
 * the game ends there or the table says so, is left alone at the head. */
static void moves_order(AlphaBeta *s, Frame *f)
{
    int promise[NOGO_MAX_MOVES];
    Frame *child = f + 1;
    for (int i = 0; i < f->count; i++) {
        uint8_t move = f->moves[i];
        child_make(s, f, move, child);
        bool known = value_is_known(s, child, s->ply + 1);
        if (known && -child->best >= f->beta) {
            f->moves[0] = move;
            f->count = 1;
            return;
        }
        int worth = move == f->hint ? INFINITE : promise_of(s, &child->state), place = i;
        for (; place > 0 && promise[place - 1] < worth; place--) {
            promise[place] = promise[place - 1];
            f->moves[place] = f->moves[place - 1];
        }
        promise[place] = worth;
        f->moves[place] = move;
    }
}

static void hint_first(Frame *f)
{
    for (int i = 1; i < f->count; i++)
        if (f->moves[i] == f->hint) {
            memmove(f->moves + 1, f->moves, (size_t)i);
            f->moves[0] = (uint8_t)f->hint;
            return;
        }
}

static void moves_begin(AlphaBeta *s, Frame *f)
{
    f->count = s->game->rules->moves(s->game, &f->state, f->state.turn, f->moves);
    f->next = 0;
    f->least = f->alpha;
    f->best = -INFINITE;
    f->best_move = NO_MOVE;
    if (!uses_table(s))
        return;
    if (f->depth > 1)
        moves_order(s, f);
    else
        hint_first(f);
}

/* ---- search ---- */

static void child_absorb(Frame *f, const Frame *child, int move)
{
    int value = -child->best;
    f->ended &= child->ended;
    if (value <= f->best)
        return;
    f->best = value;
    f->best_move = move;
    if (value > f->alpha) {
        f->alpha = value;
        f->line[0] = (uint8_t)move;
        memcpy(f->line + 1, child->line, (size_t)child->length);
        f->length = child->length + 1;
    }
}

static bool is_decided(int value) { return value >= WON || value <= -WON; }

/* Begins the next depth at the root, the best move of the last first. */
static void root_open(AlphaBeta *s, int depth)
{
    Frame *root = s->frames;
    bool solve = s->mode == NOGO_ALPHABETA_SOLVE;
    root->depth = depth;
    root->alpha = solve ? -1 : -INFINITE; /* solving asks only for win, draw or loss */
    root->beta = solve ? 1 : INFINITE;
    s->ply = 0;
    value_is_known(s, root, 0);
    if (s->result.move >= 0)
        root->hint = s->result.move;
    moves_begin(s, root);
}

static void root_report(const Frame *root, nogo_alphabeta_result *result)
{
    result->move = root->best_move;
    result->value = root->best;
    result->length = root->length;
    memcpy(result->variation, root->line, (size_t)root->length);
}

static void root_close(AlphaBeta *s)
{
    Frame *root = s->frames;
    root_report(root, &s->result);
    s->result.depth = root->depth;
    s->result.proven = root->ended || is_decided(root->best);
    s->finished = s->mode != NOGO_ALPHABETA_DEEPEN || s->result.proven || root->depth == NOGO_MAX_DEPTH;
    if (!s->finished)
        root_open(s, root->depth + 1);
}

static void frame_close(AlphaBeta *s)
{
    Frame *f = &s->frames[s->ply];
    if (uses_table(s))
        table_store(s, f);
    if (s->ply == 0) {
        root_close(s);
        return;
    }
    s->ply--;
    child_absorb(f - 1, f, f[-1].moves[f[-1].next - 1]);
}

static void search_step(AlphaBeta *s)
{
    Frame *f = &s->frames[s->ply], *child = f + 1;
    if (f->next == f->count || f->best >= f->beta) {
        frame_close(s);
        return;
    }
    int move = f->moves[f->next++];
    child_make(s, f, move, child);
    s->nodes++;
    if (value_is_known(s, child, s->ply + 1)) {
        child_absorb(f, child, move);
        return;
    }
    s->ply++;
    moves_begin(s, child);
}

void alphabeta_start(AlphaBeta *s, const State *state, nogo_alphabeta_mode mode, int depth)
{
    s->mode = mode;
    s->nodes = 0;
    s->age++;
    s->finished = false;
    s->result = (nogo_alphabeta_result){.move = -1};
    s->frames[0].state = *state;
    root_open(s, mode == NOGO_ALPHABETA_FIXED ? depth : mode == NOGO_ALPHABETA_SOLVE ? NOGO_MAX_DEPTH : 1);
}

/* A depth that is not through yet has looked at the best move of the last one first: it knows at least as much. */
void alphabeta_run(AlphaBeta *s, uint64_t nodes, nogo_alphabeta_result *result)
{
    uint64_t began = s->nodes;
    while (!s->finished && s->nodes - began < nodes)
        search_step(s);
    *result = s->result;
    const Frame *root = s->frames;
    if (!s->finished && root->best_move != NO_MOVE && root->best > -WON) { /* of a loss, not all moves are known */
        root_report(root, result);
        result->proven = root->best >= WON;
    }
    result->nodes = s->nodes;
    result->finished = s->finished;
}

/* ---- memory ---- */

static uint64_t buckets_within(uint64_t bytes)
{
    uint64_t buckets = bytes / sizeof(Entry[WAYS]);
    return buckets ? UINT64_C(1) << (63 - __builtin_clzll(buckets)) : 0;
}

nogo_status alphabeta_new(const Game *game, uint64_t table_bytes, AlphaBeta **search)
{
    AlphaBeta *s = calloc(1, sizeof *s);
    if (!s)
        return NOGO_E_NOMEM;
    s->buckets = buckets_within(table_bytes);
    s->table = s->buckets ? calloc(s->buckets, sizeof *s->table) : NULL;
    if (s->buckets && !s->table) {
        free(s);
        return NOGO_E_NOMEM;
    }
    s->magic = ALPHABETA_MAGIC;
    s->game = game;
    s->finished = true;
    *search = s;
    return NOGO_OK;
}

void alphabeta_free(AlphaBeta *search)
{
    search->magic = 0;
    free(search->table);
    free(search);
}
