/* EinStein's playouts: one game in a few words, and lanes with a game in each byte. Games are short and of very unequal
 * length, so a lane starts the next game as soon as one ends; how many games a lane plays is fixed beforehand, or short
 * games would be favoured. */
#include "einstein.h"

#include "../lanes.h"

/* Where a playout begins: the first player to move a cube, with a die or, to be drawn, without. */
typedef struct {
    int mover;
    int die;                /* EINSTEIN_NO_DIE: to be drawn */
    bool sets_only;         /* the first player begins by setting a die, and nothing else */
} Opening;

static Opening opening_of(const EinsteinGame *e, const State *state)
{
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    bool sets_only = e->variant == NOGO_EINSTEIN_SETDIE && s->die == EINSTEIN_NO_DIE;
    return (Opening){(state->ply & 1) ^ sets_only, s->die, sets_only};
}

/* ==== one game ==== */

/* Six squares in the bytes of a word, the other two bytes gone; and which cubes live, as bits. */
typedef struct {
    uint64_t squares;
    unsigned living;
} Side;

#define EVERY_BYTE 0x0101010101010101u

static Side side_of(const uint8_t cubes[EINSTEIN_CUBES])
{
    Side side = {EINSTEIN_GONE * EVERY_BYTE, 0};
    for (int cube = 0; cube < EINSTEIN_CUBES; cube++)
        if (cubes[cube] != EINSTEIN_GONE) {
            side.squares ^= (uint64_t)(cubes[cube] ^ EINSTEIN_GONE) << 8 * cube;
            side.living |= 1u << cube;
        }
    return side;
}

static void side_store(const Side *side, uint8_t cubes[EINSTEIN_CUBES])
{
    for (int cube = 0; cube < EINSTEIN_CUBES; cube++)
        cubes[cube] = (uint8_t)(side->squares >> 8 * cube);
}

ALWAYS_INLINE int side_square(const Side *side, int cube) { return (int)(side->squares >> 8 * cube & 0xff); }

/* Removes the cube on a square, if there is one. */
ALWAYS_INLINE void side_remove(Side *side, int square)
{
    uint64_t differ = side->squares ^ (uint64_t)square * EVERY_BYTE;
    uint64_t equal = (differ - EVERY_BYTE) & ~differ & (EINSTEIN_GONE * EVERY_BYTE); /* lowest bit: the first zero byte */
    if (equal) {
        int shift = __builtin_ctzll(equal) & ~7;
        side->squares ^= (uint64_t)(square ^ EINSTEIN_GONE) << shift;
        side->living &= ~(1u << shift / 8);
    }
}

/* The one or two cubes that a die calls for, the lower first; both the same where there is one. */
typedef struct {
    int lower, higher;
} CalledCubes;

ALWAYS_INLINE CalledCubes cubes_called(const Side *side, int die)
{
    unsigned not_above = side->living & ((2u << die) - 1), not_below = side->living >> die << die;
    int higher = not_below ? __builtin_ctz(not_below) : 31 - __builtin_clz(not_above);
    return (CalledCubes){not_above ? 31 - __builtin_clz(not_above) : higher, higher};
}

typedef struct {
    int cube, direction, to;
} Step;

/* The step a side makes: drawn among those of the cubes called for. */
ALWAYS_INLINE Step step_draw(const EinsteinGame *e, const Side *side, CalledCubes called, Rng *rng)
{
    int lower = called.lower, higher = called.higher;
    unsigned ways[2] = {e->ways[side_square(side, lower)], lower == higher ? 0 : e->ways[side_square(side, higher)]};
    uint32_t first = (uint32_t)__builtin_popcount(ways[0]);
    uint32_t k = rng_below(rng, first + (uint32_t)__builtin_popcount(ways[1]));
    bool second = k >= first;
    int cube = second ? higher : lower;
    int direction = __builtin_ctzll(word_select(ways[second], second ? k - first : k));
    return (Step){cube, direction, side_square(side, cube) + EINSTEIN_STEPS[direction]};
}

/* The direction of a step by how much it adds to the square, less EINSTEIN_STEPS' least; NO_STEP where there is none. */
enum { NO_STEP = 4, LEAST_STEP = -7, STEP_SPAN = 17 };
static const uint8_t STEP_DIRECTION[STEP_SPAN] = {3, 4, 4, 4, 4, 4, 4, 4, 0, 4, 4, 4, 4, 4, 4, 1, 2};

/* The direction in which one step leads to a square of the board. As rows lie eight apart and no board has eight columns,
 * the difference of two squares tells whether they touch. */
ALWAYS_INLINE int step_direction(const EinsteinGame *e, int from, int to)
{
    unsigned at = (unsigned)(to - from - LEAST_STEP);
    int direction = at < STEP_SPAN ? STEP_DIRECTION[at] : NO_STEP;
    return direction < e->directions ? direction : NO_STEP;
}

/* The first step of a cube that wins at once, into the goal or onto the opponent's last cube. */
ALWAYS_INLINE bool cube_wins(const EinsteinGame *e, const Side *own, const Side *other, int cube, Step *step)
{
    int from = side_square(own, cube), direction = step_direction(e, from, e->goal);
    if (!(other->living & (other->living - 1))) {
        int onto = step_direction(e, from, e->goal - side_square(other, __builtin_ctz(other->living)));
        direction = onto < direction ? onto : direction;
    }
    *step = (Step){cube, direction, from + EINSTEIN_STEPS[direction & 3]};
    return direction != NO_STEP;
}

ALWAYS_INLINE int one_play(const Game *game, State *state, Rng *rng, Played *played, const bool shortcut)
{
    const EinsteinGame *e = einstein_game(game);
    EinsteinState *s = STATE_BODY(EinsteinState, state);
    Opening opening = opening_of(e, state);
    Side sides[2] = {side_of(s->cubes[0]), side_of(s->cubes[1])};
    int mover = opening.mover, die = opening.die, ply = state->ply + opening.sets_only;
    *played = (Played){{bits_none(), bits_none()}, 0};
    for (bool over = false; !over; mover ^= 1, ply++) {
        if (e->variant == NOGO_EINSTEIN_COURSE)
            die = s->dice[ply % NOGO_DICE];
        else if (die == EINSTEIN_NO_DIE)
            die = (int)rng_below(rng, EINSTEIN_DIE_SIDES);
        if (opening.sets_only && ply == state->ply + 1)
            played->by[NOGO_FIRST] = bits_of(EINSTEIN_SET_ONLY + die);
        Side *own = &sides[mover], *other = &sides[!mover];
        CalledCubes called = cubes_called(own, die);
        Step step;
        bool wins = shortcut && (cube_wins(e, own, other, called.lower, &step) || cube_wins(e, own, other, called.higher, &step));
        if (!wins)
            step = step_draw(e, own, called, rng);
        side_remove(own, step.to);
        side_remove(other, e->goal - step.to);
        own->squares ^= (uint64_t)(side_square(own, step.cube) ^ step.to) << 8 * step.cube;
        over = step.to == e->goal || !other->living;
        die = EINSTEIN_NO_DIE;
        if (e->variant == NOGO_EINSTEIN_SETDIE) /* of the moves that win, the first in order sets the least die */
            die = wins ? 0 : (int)rng_below(rng, EINSTEIN_DIE_SIDES);
        int move = einstein_move(e->variant, step.cube, step.direction, die);
        played->by[mover] = bits_or(played->by[mover], bits_of(move));
    }
    played->moves = ply - state->ply;
    for (int owner = 0; owner < 2; owner++)
        side_store(&sides[owner], s->cubes[owner]);
    s->die = e->variant == NOGO_EINSTEIN_COURSE ? s->dice[ply % NOGO_DICE] : EINSTEIN_NO_DIE;
    state->ply = (uint16_t)ply;
    state->turn = (uint8_t)mover;
    state->outcome = (uint8_t)einstein_outcome(!mover, !sides[mover].living);
    return state->outcome;
}

static int einstein_one(const Game *game, State *state, Rng *rng, Played *played)
{
    return one_play(game, state, rng, played, false);
}

static int einstein_one_shortcut(const Game *game, State *state, Rng *rng, Played *played)
{
    return one_play(game, state, rng, played, true);
}

/* ==== lanes ==== */

enum { CUBES = EINSTEIN_CUBES, VIRTUAL_LANES = 64 /* the widest vector: narrower ones play its lanes in turns */ };

#define FOR_CUBES _Pragma("GCC unroll 6") for (int j = 0; j < CUBES; j++)
#define FOR_CUBES_DOWN _Pragma("GCC unroll 6") for (int j = CUBES - 1; j >= 0; j--)

/* What differs between the boards and the ways to play on them, known when the kernel is compiled. */
typedef struct {
    int variant, last_column, last_row, goal;
    bool shortcut;
} Board;

#define BOARD_COURSE(shortcut) ((Board){NOGO_EINSTEIN_COURSE, 6, 5, 46, shortcut})
#define BOARD_CLASSIC(shortcut) ((Board){NOGO_EINSTEIN_CLASSIC, 4, 4, 36, shortcut})
#define BOARD_SETDIE(shortcut) ((Board){NOGO_EINSTEIN_SETDIE, 4, 4, 36, shortcut})

/* Moves made, for AMAF: by cube, the directions as bits; with a set die by cube and direction, the dice as bits. */
enum { TRACES = 18 };

typedef struct {
    V8 mine[CUBES], theirs[CUBES];         /* squares, of the side to move in the lane and of the other, each in its view */
    V8 die, phase;                         /* the die in force; course board: place in the dice cycle */
    M8 second;                             /* lanes where the second player is to move */
    V8 set_first;                          /* AMAF: the die set by a first turn that only sets one */
    V8 traces[2][TRACES];                  /* AMAF: [0] the side to move, [1] the other */
} LaneCubes;

typedef struct {
    V8 left;                               /* games still to play in each lane */
    V8 won[2][2];                          /* games by [winner][all captured] */
    uint64_t moves;
} LaneTally;

/* What every game starts from. */
typedef struct {
    Opening opening;
    V8 mine[CUBES], theirs[CUBES];
    V8 phase;
    Table32 dice;
} LaneStart;

static LaneStart start_of(const EinsteinGame *e, const State *state)
{
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    uint8_t dice[32] = {0};
    LaneStart start;
    memcpy(dice, s->dice, sizeof s->dice);
    start.opening = opening_of(e, state);
    for (int j = 0; j < CUBES; j++) {
        start.mine[j] = v8_all(s->cubes[start.opening.mover][j]);
        start.theirs[j] = v8_all(s->cubes[!start.opening.mover][j]);
    }
    start.phase = v8_all(state->ply % NOGO_DICE);
    start.dice = table32_of(dice);
    return start;
}

/* Lanes begin a new game. The die they hold was drawn for it, unless the position shows one. */
ALWAYS_INLINE void lanes_begin(LaneCubes *c, M8 lanes, const LaneStart *start, const Board board, const bool amaf)
{
    FOR_CUBES
    {
        c->mine[j] = v8_select(lanes, start->mine[j], c->mine[j]);
        c->theirs[j] = v8_select(lanes, start->theirs[j], c->theirs[j]);
    }
    c->second = start->opening.mover == NOGO_SECOND ? c->second | lanes : c->second & ~lanes;
    if (board.variant == NOGO_EINSTEIN_COURSE)
        c->phase = v8_select(lanes, start->phase, c->phase);
    else if (start->opening.die != EINSTEIN_NO_DIE)
        c->die = v8_select(lanes, v8_all(start->opening.die), c->die);
    if (!amaf)
        return;
    c->set_first = v8_select(lanes, c->die, c->set_first);
    for (int side = 0; side < 2; side++)
        for (int i = 0; i < TRACES; i++)
            c->traces[side][i] = v8_keep(~lanes, c->traces[side][i]);
}

/* A cube that may be moved: its square and number, and in how many ways. */
typedef struct {
    V8 square, number, ways;
    M8 at_side, at_end;     /* on the last column, on the last row */
} Called;

ALWAYS_INLINE M8 v8_living(V8 square) { return v8_ge(square, v8_all(0)); } /* gone is negative */

ALWAYS_INLINE void called_complete(Called *called, const Board board)
{
    V8 square = called->square;
    called->at_side = v8_equal(square & 7, v8_all(board.last_column));
    called->at_end = v8_ge(square, v8_all(board.last_row * 8));
    V8 ways;
    if (board.variant == NOGO_EINSTEIN_COURSE) {
        ways = v8_select(v8_ge(square, v8_all(8)), v8_all(4), v8_all(3)); /* no way up from the first row */
        ways = v8_select(called->at_end, v8_all(2), ways);
        ways = v8_select(called->at_side, v8_all(1), ways);
    } else {
        ways = v8_select(called->at_side | called->at_end, v8_all(1), v8_all(3));
    }
    called->ways = v8_keep(v8_living(square), ways);
}

/* The nearest living cubes not above and not below the die; the second has no ways where both are the same cube. */
ALWAYS_INLINE void cubes_call(const LaneCubes *c, const Board board, Called *lower, Called *higher)
{
    lower->square = higher->square = v8_all(EINSTEIN_GONE);
    lower->number = higher->number = v8_all(0);
    FOR_CUBES
    {
        M8 called = v8_ge(c->die, v8_all(j)) & v8_living(c->mine[j]);
        lower->square = v8_select(called, c->mine[j], lower->square);
        lower->number = v8_select(called, v8_all(j), lower->number);
    }
    FOR_CUBES_DOWN
    {
        M8 called = v8_ge(v8_all(j), c->die) & v8_living(c->mine[j]);
        higher->square = v8_select(called, c->mine[j], higher->square);
        higher->number = v8_select(called, v8_all(j), higher->number);
    }
    called_complete(lower, board);
    called_complete(higher, board);
    higher->ways = v8_keep(~v8_equal(lower->square, higher->square), higher->ways);
}

/* Draws below 72 = 6 * 12 serve twice: a sixth of the range for each die to come, and as 12 is a multiple of every number
 * of ways there can be on the small board (1, 2, 3, 4, 6), its twelve parts for the ways. */
ALWAYS_INLINE V16 twelfths(V16 x) { return v16_multiply_high(x, v16_all(5462)); } /* x / 12, for x below 8195 */

ALWAYS_INLINE V16 way_and_die_draw(LaneRng *rng, V16 ways, V16 *die)
{
    V16 draw = lanerng_below(rng, v16_all(72));
    *die = twelfths(draw);
    return twelfths((draw - *die * 12) * ways);
}

ALWAYS_INLINE V8 way_draw(LaneRng rng[2], V8 ways, const Board board, V8 *die_next)
{
    if (board.variant == NOGO_EINSTEIN_COURSE)
        return lanerng_below8(rng, ways);
    V16 even_die, odd_die;
    V16 even = way_and_die_draw(&rng[0], (V16)ways & 0xff, &even_die);
    V16 odd = way_and_die_draw(&rng[1], (V16)ways >> 8, &odd_die);
    *die_next = (V8)(even_die | odd_die << 8);
    return (V8)(even | odd << 8);
}

/* Ways are counted over the directions that stay on the board, ascending. */
ALWAYS_INLINE V8 way_direction(V8 way, M8 at_side, M8 at_end, const Board board)
{
    V8 end = board.variant == NOGO_EINSTEIN_COURSE ? (way + way + way) : v8_all(0); /* last row: 0, and 3 if there is one */
    return v8_select(at_side, v8_all(1), v8_select(at_end, end, way));
}

typedef struct {
    V8 cube, direction, to;
    M8 wins;                /* made because it wins at once; never but with shortcuts */
} LaneSteps;

ALWAYS_INLINE LaneSteps steps_random(const Called *lower, const Called *higher, LaneRng rng[2], const Board board, V8 *die_next)
{
    V8 way = way_draw(rng, lower->ways + higher->ways, board, die_next);
    M8 second = v8_ge(way, lower->ways);
    M8 at_side = (second & higher->at_side) | (~second & lower->at_side);
    M8 at_end = (second & higher->at_end) | (~second & lower->at_end);
    way = v8_select(second, way - lower->ways, way);
    LaneSteps steps;
    steps.cube = v8_select(second, higher->number, lower->number);
    steps.direction = way_direction(way, at_side, at_end, board);
    const V8 step = V8_TABLE(1, 8, 9, 249, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0); /* EINSTEIN_STEPS */
    steps.to = v8_select(second, higher->square, lower->square) + v8_lookup(step, steps.direction);
    steps.wins = v8_nonzero(v8_all(0));
    return steps;
}

/* The opponent's last cube, as the mover sees its square; some square off the board where there are several. */
ALWAYS_INLINE V8 last_cubes(const LaneCubes *c, const Board board)
{
    V8 last = v8_all(EINSTEIN_GONE), count = v8_all(0);
    FOR_CUBES
    {
        M8 living = v8_living(c->theirs[j]);
        last = v8_select(living, c->theirs[j], last);
        count += v8_keep(living, v8_all(1));
    }
    return v8_select(v8_equal(count, v8_all(1)), v8_all(board.goal) - last, v8_all(64));
}

/* A cube's first step that wins at once; as in cube_wins, differences of squares tell. */
ALWAYS_INLINE LaneSteps steps_winning(const Called *called, V8 last, const Board board)
{
    int directions = board.variant == NOGO_EINSTEIN_COURSE ? 4 : 3;
    LaneSteps steps = {called->number, v8_all(NO_STEP), called->square, v8_nonzero(v8_all(0))};
#pragma GCC unroll 4
    for (int direction = directions - 1; direction >= 0; direction--) {
        V8 to = called->square + (uint8_t)EINSTEIN_STEPS[direction];
        M8 wins = v8_equal(to, v8_all(board.goal)) | v8_equal(to, last);
        steps.direction = v8_select(wins, v8_all(direction), steps.direction);
        steps.to = v8_select(wins, to, steps.to);
        steps.wins |= wins;
    }
    return steps;
}

ALWAYS_INLINE void steps_prefer(LaneSteps *steps, const LaneSteps *winning)
{
    steps->cube = v8_select(winning->wins, winning->cube, steps->cube);
    steps->direction = v8_select(winning->wins, winning->direction, steps->direction);
    steps->to = v8_select(winning->wins, winning->to, steps->to);
    steps->wins |= winning->wins;
}

ALWAYS_INLINE LaneSteps steps_draw(const LaneCubes *c, LaneRng rng[2], const Board board, V8 *die_next)
{
    Called lower, higher;
    cubes_call(c, board, &lower, &higher);
    LaneSteps steps = steps_random(&lower, &higher, rng, board, die_next);
    if (board.shortcut) {
        V8 last = last_cubes(c, board);
        LaneSteps by_higher = steps_winning(&higher, last, board), by_lower = steps_winning(&lower, last, board);
        steps_prefer(&steps, &by_higher);
        steps_prefer(&steps, &by_lower);
    }
    return steps;
}

/* Moves the cubes; returns the lanes whose opponent has none left. */
ALWAYS_INLINE M8 steps_make(LaneCubes *c, const LaneSteps *steps, const Board board)
{
    const V8 gone = v8_all(EINSTEIN_GONE);
    V8 seen = v8_all(board.goal) - steps->to, all = gone;
    FOR_CUBES
    {
        c->mine[j] = v8_select(v8_equal(c->mine[j], steps->to), gone, c->mine[j]);
        c->mine[j] = v8_select(v8_equal(steps->cube, v8_all(j)), steps->to, c->mine[j]);
        c->theirs[j] = v8_select(v8_equal(c->theirs[j], seen), gone, c->theirs[j]);
        all &= c->theirs[j];
    }
    return v8_equal(all, gone);
}

ALWAYS_INLINE void steps_trace(LaneCubes *c, const LaneSteps *steps, V8 die_next, const Board board)
{
    const V8 bits = V8_TABLE(1, 2, 4, 8, 16, 32, 0, 0, 0, 0, 0, 0, 0, 0, 0, 0);
    bool setdie = board.variant == NOGO_EINSTEIN_SETDIE;
    V8 index = setdie ? steps->cube + steps->cube + steps->cube + steps->direction : steps->cube;
    V8 die = v8_keep(~steps->wins, die_next); /* of the moves that win, the first in order sets the least die */
    V8 bit = v8_lookup(bits, setdie ? die : steps->direction);
    for (int i = 0; i < (setdie ? TRACES : CUBES); i++)
        c->traces[0][i] |= v8_keep(v8_equal(index, v8_all(i)), bit);
}

ALWAYS_INLINE void sides_change(LaneCubes *c, const bool amaf)
{
    FOR_CUBES
    {
        V8 mine = c->mine[j];
        c->mine[j] = c->theirs[j];
        c->theirs[j] = mine;
    }
    c->second = ~c->second;
    for (int i = 0; amaf && i < TRACES; i++) {
        V8 mine = c->traces[0][i];
        c->traces[0][i] = c->traces[1][i];
        c->traces[1][i] = mine;
    }
}

/* Adds one finished lane's moves; its winner has just moved, so the loser is the side to move. */
static void lane_amaf_add(const LaneCubes *c, int lane, bool captured, const LaneStart *start, const Board board, Totals *totals)
{
    bool setdie = board.variant == NOGO_EINSTEIN_SETDIE;
    int directions = board.variant == NOGO_EINSTEIN_COURSE ? 4 : 3;
    V8 second = v8_keep(c->second, v8_all(1));
    int loser = second[lane], reward = einstein_outcome(!loser, captured);
    for (int side = 0; side < 2; side++) {
        int player = side ? !loser : loser;
        for (int i = 0; i < TRACES; i++)
            for (unsigned bits = c->traces[side][i][lane]; bits; bits &= bits - 1) {
                int bit = __builtin_ctz(bits);
                int move = i * (setdie ? EINSTEIN_DIE_SIDES : directions) + bit;
                totals->amaf_games[player][move]++;
                totals->amaf_reward[player][move] += (unsigned)reward;
            }
    }
    if (start->opening.sets_only) {
        int move = EINSTEIN_SET_ONLY + c->set_first[lane];
        totals->amaf_games[NOGO_FIRST][move]++;
        totals->amaf_reward[NOGO_FIRST][move] += (unsigned)reward;
    }
}

static __attribute__((noinline)) void amaf_add(const LaneCubes *c, M8 ended, M8 captured, const LaneStart *start, const Board board,
                                               Totals *totals)
{
    V8 ends = v8_keep(ended, v8_all(1)), captures = v8_keep(captured, v8_all(1));
    for (int lane = 0; lane < LANES8; lane++)
        if (ends[lane])
            lane_amaf_add(c, lane, captures[lane], start, board, totals);
}

/* Counts the games that a move of the side now waiting has ended. */
ALWAYS_INLINE void tally_add(LaneTally *tally, M8 ended, M8 second_lost, M8 captured)
{
    V8 one = v8_all(1);
    tally->won[NOGO_FIRST][0] += v8_keep(ended & second_lost & ~captured, one);
    tally->won[NOGO_FIRST][1] += v8_keep(ended & second_lost & captured, one);
    tally->won[NOGO_SECOND][0] += v8_keep(ended & ~second_lost & ~captured, one);
    tally->won[NOGO_SECOND][1] += v8_keep(ended & ~second_lost & captured, one);
    tally->left -= v8_keep(ended, one);
}

ALWAYS_INLINE void lanes_play(LaneTally *tally, LaneRng rng[2], const LaneStart *start, const Board board, const bool amaf,
                              Totals *totals)
{
    LaneCubes c;
    memset(&c, 0, sizeof c);
    if (board.variant != NOGO_EINSTEIN_COURSE)
        way_draw(rng, v8_all(1), board, &c.die);
    M8 everywhere = v8_ge(v8_all(0), v8_all(0)), live = v8_nonzero(tally->left);
    lanes_begin(&c, everywhere, start, board, amaf);
    while (m8_any(live)) {
        V8 die_next = c.die;
        if (board.variant == NOGO_EINSTEIN_COURSE)
            c.die = table32_lookup(&start->dice, c.phase);
        LaneSteps steps = steps_draw(&c, rng, board, &die_next);
        M8 captured = steps_make(&c, &steps, board);
        M8 won = captured | v8_equal(steps.to, v8_all(board.goal));
        if (amaf)
            steps_trace(&c, &steps, die_next, board);
        if (board.variant == NOGO_EINSTEIN_COURSE) {
            c.phase += 1;
            c.phase = v8_keep(~v8_equal(c.phase, v8_all(NOGO_DICE)), c.phase);
        } else {
            c.die = die_next;
        }
        sides_change(&c, amaf);
        tally->moves += (unsigned)m8_count(live);
        if (!m8_any(won))
            continue;
        M8 ended = won & live;
        if (amaf)
            amaf_add(&c, ended, captured, start, board, totals);
        tally_add(tally, ended, c.second, captured);
        live = v8_nonzero(tally->left);
        lanes_begin(&c, won, start, board, amaf);
    }
}

/* How many of the block's games each of the lanes from lane number first plays. */
static V8 games_of_lanes(int count, int first)
{
    V8 games;
    for (int i = 0; i < LANES8; i++)
        games[i] = (uint8_t)(count / VIRTUAL_LANES + (first + i < count % VIRTUAL_LANES));
    return games;
}

static void tally_report(const LaneTally *tally, Totals *totals)
{
    for (int winner = 0; winner < 2; winner++)
        for (int captured = 0; captured < 2; captured++)
            for (int i = 0; i < LANES8; i++)
                totals->outcomes[einstein_outcome(winner, captured)] += tally->won[winner][captured][i];
    totals->moves += tally->moves;
}

ALWAYS_INLINE void block_play(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals, const Board board,
                              const bool amaf)
{
    const LaneStart start = start_of(einstein_game(game), state);
    for (int first = 0; first < VIRTUAL_LANES && first < block->count; first += LANES8) {
        LaneTally tally;
        memset(&tally, 0, sizeof tally);
        tally.left = games_of_lanes(block->count, first);
        LaneRng rng[2];
        /* A block's lanes use the streams of its first 64 games, as if each lane's games all had its number. */
        lanerng_streams8(rng, block->seed, block->first + (unsigned)first);
        lanes_play(&tally, rng, &start, board, amaf, totals);
        tally_report(&tally, totals);
    }
    totals->games += (unsigned)block->count;
    if (start.opening.sets_only)
        totals->moves += (unsigned)block->count;
}

ALWAYS_INLINE void course_block(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals, const bool shortcut)
{
    if (block->amaf)
        block_play(game, state, block, totals, BOARD_COURSE(shortcut), true);
    else
        block_play(game, state, block, totals, BOARD_COURSE(shortcut), false);
}

ALWAYS_INLINE void classic_block(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals, const bool shortcut)
{
    if (block->amaf)
        block_play(game, state, block, totals, BOARD_CLASSIC(shortcut), true);
    else
        block_play(game, state, block, totals, BOARD_CLASSIC(shortcut), false);
}

/* Drawn at random, a die that the opponent sets is as good as thrown; only AMAF has to know the moves apart. */
ALWAYS_INLINE void setdie_block(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals, const bool shortcut)
{
    if (block->amaf)
        block_play(game, state, block, totals, BOARD_SETDIE(shortcut), true);
    else
        block_play(game, state, block, totals, BOARD_CLASSIC(shortcut), false);
}

ALWAYS_INLINE void variant_block(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals, const bool shortcut)
{
    switch (einstein_game(game)->variant) {
    case NOGO_EINSTEIN_COURSE:
        course_block(game, state, block, totals, shortcut);
        break;
    case NOGO_EINSTEIN_CLASSIC:
        classic_block(game, state, block, totals, shortcut);
        break;
    default:
        setdie_block(game, state, block, totals, shortcut);
    }
}

static void einstein_block(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals)
{
    variant_block(game, state, block, totals, false);
}

static void einstein_block_shortcut(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals)
{
    variant_block(game, state, block, totals, true);
}

const PlayoutKernels ISA_NAME(einstein_kernels) = {.ways = {
    [NOGO_PLAYOUT_UNIFORM] = {.one = einstein_one, .block = einstein_block},
    [NOGO_PLAYOUT_SHORTCUT] = {.one = einstein_one_shortcut, .block = einstein_block_shortcut},
}};
