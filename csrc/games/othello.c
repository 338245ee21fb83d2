/* Othello on 8x8, 6x6 and 4x4. A side without a move passes, and only then; when neither can move, more discs win. */
#include "othello.h"

#include <stdlib.h>

static int square_of(const OthelloGame *o, int cell) { return cell / o->size * 8 + cell % o->size; }
static int cell_of(const OthelloGame *o, int square) { return square / 8 * o->size + square % 8; }
static int pass_of(const OthelloGame *o) { return o->size * o->size; }

static uint64_t moves_of(const OthelloGame *o, const OthelloState *s, int player)
{
    return othello_moves_of(o->board, s->discs[player], s->discs[!player]);
}

/* ---- moves ---- */

static void state_judge(const OthelloGame *o, State *state)
{
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    bool over = !moves_of(o, s, NOGO_FIRST) && !moves_of(o, s, NOGO_SECOND);
    state->outcome = over ? (uint8_t)othello_outcome(s->discs[NOGO_FIRST], s->discs[NOGO_SECOND]) : NOGO_UNFINISHED;
}

static void othello_play(const Game *game, State *state, int move)
{
    const OthelloGame *o = othello_game(game);
    OthelloState *s = STATE_BODY(OthelloState, state);
    uint64_t *own = &s->discs[state->turn], *other = &s->discs[!state->turn];
    if (move != pass_of(o)) {
        uint64_t square = UINT64_C(1) << square_of(o, move), flips = othello_flips(*own, *other, square);
        *own |= square | flips;
        *other &= ~flips;
    }
    state->ply++;
    state->turn ^= 1;
    state_judge(o, state);
}

static int othello_moves(const Game *game, const State *state, int player, uint8_t *moves)
{
    const OthelloGame *o = othello_game(game);
    uint64_t squares = moves_of(o, STATE_BODY_CONST(OthelloState, state), player);
    int count = 0;
    for (; squares; squares &= squares - 1)
        moves[count++] = (uint8_t)cell_of(o, __builtin_ctzll(squares));
    if (!count)
        moves[count++] = (uint8_t)pass_of(o);
    return count;
}

static int othello_move_count(const Game *game, const State *state)
{
    uint64_t squares = moves_of(othello_game(game), STATE_BODY_CONST(OthelloState, state), state->turn);
    return squares ? __builtin_popcountll(squares) : state->outcome == NOGO_UNFINISHED;
}

static nogo_reason othello_check(const Game *game, const State *state, int move)
{
    const OthelloGame *o = othello_game(game);
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    uint64_t squares = moves_of(o, s, state->turn);
    if (state->outcome != NOGO_UNFINISHED)
        return NOGO_GAME_OVER;
    if (move == pass_of(o))
        return squares ? NOGO_PASS : NOGO_LEGAL;
    uint64_t square = UINT64_C(1) << square_of(o, move);
    if ((s->discs[0] | s->discs[1]) & square)
        return NOGO_NOT_EMPTY;
    return squares & square ? NOGO_LEGAL : NOGO_FLIPS_NOTHING;
}

/* ---- positions ---- */

static void othello_start(const Game *game, State *state)
{
    const OthelloGame *o = othello_game(game);
    int low = o->size / 2 - 1, high = o->size / 2; /* the middle rows and columns */
    OthelloState *s = STATE_BODY(OthelloState, state);
    s->discs[NOGO_FIRST] = UINT64_C(1) << (low * 8 + high) | UINT64_C(1) << (high * 8 + low);
    s->discs[NOGO_SECOND] = UINT64_C(1) << (low * 8 + low) | UINT64_C(1) << (high * 8 + high);
    state->outcome = NOGO_UNFINISHED;
}

static uint64_t squares_around(uint64_t x)
{
    uint64_t sides = x | ((x << 1) & 0xfefefefefefefefeu) | ((x >> 1) & 0x7f7f7f7f7f7f7f7fu);
    return sides | sides << 8 | sides >> 8;
}

/* Discs grow outward from the centre, so all of them hang together. */
static uint64_t discs_adrift(uint64_t discs, uint64_t centre)
{
    for (uint64_t reached = centre;;) {
        uint64_t more = squares_around(reached) & discs;
        if (more == reached)
            return discs & ~reached;
        reached = more;
    }
}

/* Every move adds a disc, a pass none; each pass follows a move, and after the last of as many passes there is one. */
static bool passes_fit(const OthelloGame *o, const State *state)
{
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    int moves = __builtin_popcountll(s->discs[0] | s->discs[1]) - 4, passes = state->ply - moves;
    return passes >= 0 && (passes < moves || (passes == moves && moves_of(o, s, state->turn)));
}

static nogo_status othello_set(const Game *game, const Layout *layout, int *cell, State *state)
{
    const OthelloGame *o = othello_game(game);
    OthelloState *s = STATE_BODY(OthelloState, state);
    for (*cell = 0; *cell < game->cells; ++*cell) {
        int value = layout->cells[*cell];
        if (value > 2)
            return NOGO_E_CELL;
        if (value)
            s->discs[value - 1] |= UINT64_C(1) << square_of(o, *cell);
    }
    uint64_t centre = UINT64_C(0x303) << (o->size / 2 - 1) * 9, discs = s->discs[0] | s->discs[1];
    if (centre & ~discs) {
        *cell = cell_of(o, __builtin_ctzll(centre & ~discs));
        return NOGO_E_CENTRE;
    }
    uint64_t adrift = discs_adrift(discs, centre);
    if (adrift) {
        *cell = cell_of(o, __builtin_ctzll(adrift));
        return NOGO_E_ISLAND;
    }
    *cell = -1;
    if (layout->turn > NOGO_SECOND || (layout->ply & 1) != layout->turn)
        return NOGO_E_TURN;
    state->turn = layout->turn;
    state->ply = layout->ply;
    state_judge(o, state);
    return passes_fit(o, state) ? NOGO_OK : NOGO_E_PLY;
}

static void othello_get(const Game *game, const State *state, Layout *layout)
{
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    for (int cell = 0; cell < game->cells; cell++) {
        int square = square_of(othello_game(game), cell);
        layout->cells[cell] = (uint8_t)((s->discs[0] >> square & 1) + 2 * (s->discs[1] >> square & 1));
    }
}

static uint64_t othello_key(const Game *game, const State *state)
{
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    uint64_t key = (uint64_t)game->tag << 1 | state->turn;
    key = rng_mix((key ^ s->discs[0]) + RNG_GOLDEN);
    return rng_mix((key ^ s->discs[1]) + RNG_GOLDEN);
}

/* ---- judgement ---- */

/* Weights: the best of a few tried in games of one-ply players. */
enum {
    MOBILITY = 8,  /* for each move a side would have */
    FRONTIER = 2,  /* against each disc beside an empty square: it opens moves to the opponent */
    CORNER = 40,   /* for each corner: never turned again */
    X_SQUARE = 20, /* against each disc diagonally next to an empty corner: it gives the corner away */
    LATE = 12,     /* with fewer empty squares than this, discs begin to count */
};

/* By logistic regression of the results of 2,000 games on each board, whose players took the best move by this evaluation
 * with probability 0.7, else any. */
static double scale_of(int size) { return size == 8 ? 74 : size == 6 ? 48 : 20; }

static int squares_count(uint64_t squares) { return __builtin_popcountll(squares); }

/* What one side has on the board, the opponent's not deducted. */
static int side_value(const OthelloGame *o, const OthelloState *s, int player)
{
    uint64_t own = s->discs[player], empty = o->board & ~(s->discs[0] | s->discs[1]);
    int left = squares_count(empty), late = left < LATE ? LATE - left : 0;
    return MOBILITY * squares_count(moves_of(o, s, player)) - FRONTIER * squares_count(own & squares_around(empty)) +
           CORNER * squares_count(own & o->corners) -
           X_SQUARE * squares_count(own & o->x_squares & squares_around(empty & o->corners)) + late * squares_count(own);
}

static int othello_evaluate(const Game *game, const State *state)
{
    const OthelloGame *o = othello_game(game);
    const OthelloState *s = STATE_BODY_CONST(OthelloState, state);
    return side_value(o, s, NOGO_FIRST) - side_value(o, s, NOGO_SECOND);
}

static int othello_winner(int outcome)
{
    return outcome == OTHELLO_EVEN ? -1 : outcome > OTHELLO_EVEN ? NOGO_FIRST : NOGO_SECOND;
}

static int othello_reward(int outcome) { return (outcome > OTHELLO_EVEN) + (outcome >= OTHELLO_EVEN); }

static double othello_margin(int outcome) { return (outcome - OTHELLO_EVEN) / 64.0; }

static const GameRules OTHELLO_RULES = {
    .start = othello_start,
    .set = othello_set,
    .get = othello_get,
    .moves = othello_moves,
    .move_count = othello_move_count,
    .check = othello_check,
    .play = othello_play,
    .key = othello_key,
    .winner = othello_winner,
    .reward = othello_reward,
    .evaluate = othello_evaluate,
    .margin = othello_margin,
};

#define KERNELS_ENTRY(isa) &othello_kernels_##isa,
static const PlayoutKernels *const KERNELS[] = {ISA_ALL(KERNELS_ENTRY)};

static void corners_fill(OthelloGame *o)
{
    int last = o->size - 1, inner = o->size - 2;
    o->corners = UINT64_C(1) | UINT64_C(1) << last | UINT64_C(1) << 8 * last | UINT64_C(1) << 9 * last;
    if (o->size > 4) /* there they are the centre, taken from the start */
        o->x_squares = UINT64_C(1) << 9 | UINT64_C(1) << (8 + inner) | UINT64_C(1) << (8 * inner + 1) | UINT64_C(1) << 9 * inner;
    for (uint64_t left = o->corners; left; left &= left - 1)
        o->head.favoured = bits_or(o->head.favoured, bits_of(cell_of(o, __builtin_ctzll(left))));
}

nogo_status othello_family_new(const nogo_spec *spec, int isa, Game **game)
{
    int size = spec->rows;
    if (spec->columns != size || (size != 4 && size != 6 && size != 8) || spec->hole_count)
        return NOGO_E_ARGUMENT;
    OthelloGame *made = malloc(sizeof *made);
    if (!made)
        return NOGO_E_NOMEM;
    *made = (OthelloGame){.head = {.rules = &OTHELLO_RULES,
                                   .kernels = KERNELS[isa],
                                   .cells = size * size,
                                   .move_count = size * size + 1,
                                   .outcome_count = 2 * OTHELLO_EVEN + 1,
                                   .reward_unit = OTHELLO_REWARD_UNIT,
                                   .state_bytes = offsetof(State, body) + sizeof(OthelloState),
                                   .evaluation_scale = scale_of(size)},
                          .size = size};
    for (int row = 0; row < size; row++)
        made->board |= ((UINT64_C(1) << size) - 1) << 8 * row;
    corners_fill(made);
    *game = &made->head;
    return NOGO_OK;
}
