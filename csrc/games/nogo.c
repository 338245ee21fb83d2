/* NoGo on any rectangle up to 121 points with any holes; Hollow NoGo is one of them. A move that leaves any chain without
 * a liberty is illegal; who cannot move loses. What is illegal for a colour stays illegal for it, so a state keeps both
 * colours' legal points and a move only re-examines those it can have spoilt. */
#include "nogo.h"

#include <stdlib.h>
#include <string.h>

/* ---- geometry ---- */

static void layout_choose(NogoGeometry *g)
{
    int rows_in_word = 65 / (g->columns + 1); /* the last row of a word needs no guard */
    g->guarded = rows_in_word * 2 >= g->rows;
    g->stride = g->guarded ? g->columns + 1 : g->columns;
    g->carry = g->guarded ? g->stride * (rows_in_word - 1) : 64 - g->stride;
    for (int point = 0; point < g->points; point++) {
        int row = point / g->columns, column = point % g->columns;
        int bit = !g->guarded           ? point
                  : row < rows_in_word  ? row * g->stride + column
                                        : 64 + (row - rows_in_word) * g->stride + column;
        g->bit_of[point] = (uint8_t)bit;
        g->point_of[bit] = (uint8_t)point;
    }
}

static void geometry_fill(NogoGeometry *g, const nogo_spec *spec)
{
    g->columns = spec->columns;
    g->rows = spec->rows;
    g->points = spec->columns * spec->rows;
    layout_choose(g);
    for (int point = 0; point < g->points; point++) {
        Bits bit = bits_of(g->bit_of[point]);
        g->cells = bits_or(g->cells, bit);
        if (point % g->columns > 0)
            g->not_west = bits_or(g->not_west, bit);
        if (point % g->columns < g->columns - 1)
            g->not_east = bits_or(g->not_east, bit);
    }
    g->board = g->cells;
    for (int i = 0; i < spec->hole_count; i++)
        g->board = bits_minus(g->board, bits_of(g->bit_of[spec->holes[i]]));
}

static Bits neighbours_find(const NogoGeometry *g, int point)
{
    static const int STEPS[4][2] = {{-1, 0}, {1, 0}, {0, -1}, {0, 1}};
    Bits found = bits_none();
    for (int i = 0; i < 4; i++) {
        int row = point / g->columns + STEPS[i][0], column = point % g->columns + STEPS[i][1];
        if (row >= 0 && row < g->rows && column >= 0 && column < g->columns)
            found = bits_or(found, bits_of(g->bit_of[row * g->columns + column]));
    }
    return bits_and(found, g->board);
}

static void neighbours_fill(NogoGeometry *g)
{
    for (int point = 0; point < g->points; point++) {
        int bit = g->bit_of[point];
        if (!bits_has(g->board, bit))
            continue;
        g->self[bit][0] = g->self[bit][1] = bits_of(bit);
        g->around[bit][0] = g->around[bit][1] = neighbours_find(g, point);
    }
}

/* ---- chains and liberties ---- */

/* Every neighbour of the set, and possibly guards, holes and what lies beyond: meet the result with a set of points. */
static inline Bits set_around(const NogoGeometry *g, Bits x)
{
    Bits sides = {(x.lo << 1) | (x.lo >> 1), (x.hi << 1) | (x.hi >> 1)};
    if (!g->guarded) {
        Bits east = bits_and((Bits){x.lo << 1, (x.hi << 1) | (x.lo >> 63)}, g->not_west);
        Bits west = bits_and((Bits){(x.lo >> 1) | (x.hi << 63), x.hi >> 1}, g->not_east);
        sides = bits_or(east, west);
    }
    Bits down = {x.lo << g->stride, (x.hi << g->stride) | (x.lo >> g->carry)};
    Bits up = {(x.lo >> g->stride) | (x.hi << g->carry), x.hi >> g->stride};
    return bits_or(sides, bits_or(down, up));
}

/* What of the stones is connected to the seed, which is part of them. */
static Bits stones_connected(const NogoGeometry *g, Bits seed, Bits stones)
{
    for (;;) {
        Bits more = bits_or(seed, bits_and(stones, set_around(g, seed)));
        if (bits_equal(more, seed))
            return seed;
        seed = more;
    }
}

/* The stones whose chain has one of these liberties. */
static Bits stones_alive(const NogoGeometry *g, Bits stones, Bits liberties)
{
    return stones_connected(g, bits_and(stones, set_around(g, liberties)), stones);
}

/* Why a colour may not play on an empty point, or NOGO_LEGAL. A move that would do both is a capture. */
static nogo_reason point_check(const NogoGeometry *g, const NogoState *s, int colour, int bit)
{
    Bits around = g->around[bit][0];
    Bits left = bits_minus(nogo_empty(g, s), bits_of(bit));
    Bits touched = bits_and(around, s->stones[!colour]);
    if (bits_any(touched) && bits_any(bits_minus(touched, stones_alive(g, s->stones[!colour], left))))
        return NOGO_CAPTURE;
    if (bits_meet(around, left))
        return NOGO_LEGAL;
    Bits friends = bits_and(around, s->stones[colour]);
    return bits_any(friends) && bits_meet(friends, stones_alive(g, s->stones[colour], left)) ? NOGO_LEGAL : NOGO_SUICIDE;
}

/* ---- moves ---- */

/* Legal points that a stone just put on bit can have spoilt: those beside it, and the last liberty of any chain it touches. */
static Bits points_to_examine(const NogoGeometry *g, const NogoState *s, int colour, int bit)
{
    Bits empty = nogo_empty(g, s), examine = bits_and(g->around[bit][0], empty);
    for (int owner = 0; owner < 2; owner++) {
        Bits stones = s->stones[owner];
        Bits touched = owner == colour ? bits_of(bit) : bits_and(g->around[bit][0], stones);
        while (bits_any(touched)) {
            Bits chain = stones_connected(g, bits_of(bits_first(touched)), stones);
            Bits liberties = bits_and(set_around(g, chain), empty);
            if (bits_count(liberties) == 1)
                examine = bits_or(examine, liberties);
            touched = bits_minus(touched, chain);
        }
    }
    return examine;
}

static void legal_reexamine(const NogoGeometry *g, NogoState *s, Bits points)
{
    while (bits_any(points)) {
        int bit = bits_pop(&points);
        for (int colour = 0; colour < 2; colour++)
            if (bits_has(s->legal[colour], bit) && point_check(g, s, colour, bit) != NOGO_LEGAL)
                s->legal[colour] = bits_minus(s->legal[colour], bits_of(bit));
    }
}

/* Who is to move and cannot has lost; outcome 1 is a win of the first player. */
static void state_judge(State *state)
{
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    state->outcome = bits_any(s->legal[state->turn]) ? NOGO_UNFINISHED : state->turn == NOGO_SECOND;
}

static void nogo_play(const Game *game, State *state, int move)
{
    const NogoGeometry *g = nogo_geometry(game);
    NogoState *s = STATE_BODY(NogoState, state);
    int bit = g->bit_of[move], colour = state->turn;
    Bits stone = bits_of(bit);
    s->stones[colour] = bits_or(s->stones[colour], stone);
    for (int either = 0; either < 2; either++)
        s->legal[either] = bits_minus(s->legal[either], stone);
    legal_reexamine(g, s, points_to_examine(g, s, colour, bit));
    state->ply++;
    state->turn ^= 1;
    state_judge(state);
}

static int nogo_moves(const Game *game, const State *state, int player, uint8_t *moves)
{
    const NogoGeometry *g = nogo_geometry(game);
    Bits legal = STATE_BODY_CONST(NogoState, state)->legal[player];
    int count = 0;
    while (bits_any(legal))
        moves[count++] = g->point_of[bits_pop(&legal)];
    return count;
}

static int nogo_move_count(const Game *game, const State *state)
{
    (void)game;
    return bits_count(STATE_BODY_CONST(NogoState, state)->legal[state->turn]);
}

static nogo_reason nogo_check(const Game *game, const State *state, int move)
{
    const NogoGeometry *g = nogo_geometry(game);
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    int bit = g->bit_of[move];
    if (!bits_has(g->board, bit))
        return NOGO_OFF_BOARD;
    if (!bits_has(nogo_empty(g, s), bit))
        return NOGO_NOT_EMPTY;
    return point_check(g, s, state->turn, bit);
}

/* ---- positions ---- */

static void nogo_start(const Game *game, State *state)
{
    NogoState *s = STATE_BODY(NogoState, state);
    const NogoGeometry *g = nogo_geometry(game);
    for (int colour = 0; colour < 2; colour++) {
        s->stones[colour] = bits_none();
        s->legal[colour] = g->board;
    }
    legal_reexamine(g, s, g->board); /* a point without neighbours has no liberty even on the empty board */
    state_judge(state);
}

static nogo_status stones_read(const NogoGeometry *g, const Layout *layout, int *cell, NogoState *s)
{
    for (*cell = 0; *cell < g->points; ++*cell) {
        int bit = g->bit_of[*cell], value = layout->cells[*cell];
        bool hole = !bits_has(g->board, bit);
        if (hole ? value != NOGO_HOLE : value > 2)
            return NOGO_E_CELL;
        if (!hole && value)
            s->stones[value - 1] = bits_or(s->stones[value - 1], bits_of(bit));
    }
    *cell = -1;
    return NOGO_OK;
}

static nogo_status liberties_check(const NogoGeometry *g, const NogoState *s, int *cell)
{
    for (int colour = 0; colour < 2; colour++) {
        Bits dead = bits_minus(s->stones[colour], stones_alive(g, s->stones[colour], nogo_empty(g, s)));
        if (bits_any(dead)) {
            *cell = g->point_of[bits_first(dead)];
            return NOGO_E_LIBERTY;
        }
    }
    return NOGO_OK;
}

static nogo_status nogo_set(const Game *game, const Layout *layout, int *cell, State *state)
{
    const NogoGeometry *g = nogo_geometry(game);
    NogoState *s = STATE_BODY(NogoState, state);
    nogo_status status = stones_read(g, layout, cell, s);
    if (status == NOGO_OK)
        status = liberties_check(g, s, cell);
    if (status != NOGO_OK)
        return status;
    int black = bits_count(s->stones[0]), white = bits_count(s->stones[1]);
    if (black != white && black != white + 1)
        return NOGO_E_COUNTS;
    if (layout->turn != black - white)
        return NOGO_E_TURN;
    state->turn = layout->turn;
    state->ply = (uint16_t)(black + white);
    s->legal[0] = s->legal[1] = nogo_empty(g, s);
    legal_reexamine(g, s, nogo_empty(g, s));
    state_judge(state);
    return NOGO_OK;
}

static void nogo_get(const Game *game, const State *state, Layout *layout)
{
    const NogoGeometry *g = nogo_geometry(game);
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    for (int point = 0; point < g->points; point++) {
        int bit = g->bit_of[point];
        layout->cells[point] = !bits_has(g->board, bit)       ? NOGO_HOLE
                               : bits_has(s->stones[0], bit)  ? 1
                               : bits_has(s->stones[1], bit)  ? 2
                                                              : 0;
    }
}

static uint64_t nogo_key(const Game *game, const State *state)
{
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    uint64_t key = game->tag; /* whose turn it is follows from the stones */
    for (int colour = 0; colour < 2; colour++) {
        key = rng_mix((key ^ s->stones[colour].lo) + RNG_GOLDEN);
        key = rng_mix((key ^ s->stones[colour].hi) + RNG_GOLDEN);
    }
    return key;
}

/* By logistic regression of the results of 2,000 games on 9x9 and Hollow NoGo (5x5 gives 2.1), whose players took the best
 * move by the evaluation with probability 0.7, else any. In purely random games it is 4.5. */
static const double EVALUATION_SCALE = 2.4;

/* Points that only one side may play are moves in hand; whoever runs out of moves loses. */
static int nogo_evaluate(const Game *game, const State *state)
{
    (void)game;
    const NogoState *s = STATE_BODY_CONST(NogoState, state);
    return bits_count(s->legal[NOGO_FIRST]) - bits_count(s->legal[NOGO_SECOND]);
}

static int nogo_winner(int outcome) { return outcome ? NOGO_FIRST : NOGO_SECOND; }
static int nogo_reward(int outcome) { return outcome; }

static const GameRules NOGO_RULES = {
    .start = nogo_start,
    .set = nogo_set,
    .get = nogo_get,
    .moves = nogo_moves,
    .move_count = nogo_move_count,
    .check = nogo_check,
    .play = nogo_play,
    .key = nogo_key,
    .winner = nogo_winner,
    .reward = nogo_reward,
    .evaluate = nogo_evaluate,
};

#define KERNELS_ENTRY(isa) &nogo_kernels_##isa,
static const PlayoutKernels *const KERNELS[] = {ISA_ALL(KERNELS_ENTRY)};

static bool spec_holds(const nogo_spec *spec)
{
    if (spec->columns < 1 || spec->rows < 1 || spec->columns > NOGO_MAX_SIDE || spec->rows > NOGO_MAX_SIDE)
        return false;
    int points = spec->columns * spec->rows;
    bool holed = points <= NOGO_MAX_POINTS && spec->hole_count >= 0 && spec->hole_count < points;
    for (int i = 0; holed && i < spec->hole_count; i++)
        holed = spec->holes[i] < points;
    return holed;
}

nogo_status nogo_family_new(const nogo_spec *spec, int isa, Game **game)
{
    if (!spec_holds(spec))
        return NOGO_E_ARGUMENT;
    NogoGame *made = aligned_alloc(_Alignof(NogoGame), sizeof(NogoGame));
    if (!made)
        return NOGO_E_NOMEM;
    memset(made, 0, sizeof *made);
    geometry_fill(&made->geometry, spec);
    neighbours_fill(&made->geometry);
    made->head = (Game){.rules = &NOGO_RULES,
                        .kernels = KERNELS[isa],
                        .cells = made->geometry.points,
                        .move_count = made->geometry.points,
                        .outcome_count = 2,
                        .reward_unit = 1,
                        .state_bytes = offsetof(State, body) + sizeof(NogoState),
                        .evaluation_scale = EVALUATION_SCALE};
    *game = &made->head;
    return NOGO_OK;
}
