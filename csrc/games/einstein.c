/* EinStein wuerfelt nicht: the course board of 2023 (6 rows, 7 columns, known dice), the classic 5x5 with a die thrown
 * before each move, and the form of 2024 in which the mover sets the opponent's die. The die calls for the cube of its
 * number or, when that is gone, the nearest lower or higher one. Any cube on the target is removed. */
#include "einstein.h"

#include <stdlib.h>
#include <string.h>

static int mover_of(const State *state) { return state->ply & 1; }

/* ---- squares ---- */

static int square_of(const EinsteinGame *e, int cell, int owner)
{
    int square = cell / e->columns * 8 + cell % e->columns;
    return owner == NOGO_FIRST ? square : e->goal - square;
}

static int cell_of(const EinsteinGame *e, int square, int owner)
{
    int seen = owner == NOGO_FIRST ? square : e->goal - square;
    return seen / 8 * e->columns + seen % 8;
}

static int ways_from(const EinsteinGame *e, int row, int column)
{
    static const int DOWN[4] = {0, 1, 1, -1}, RIGHT[4] = {1, 0, 1, 1};
    int ways = 0;
    for (int direction = 0; direction < e->directions; direction++) {
        int to_row = row + DOWN[direction], to_column = column + RIGHT[direction];
        if (to_row >= 0 && to_row < e->rows && to_column < e->columns)
            ways |= 1 << direction;
    }
    return ways;
}

static bool step_stays_on(const EinsteinGame *e, int square, int direction) { return e->ways[square] >> direction & 1; }

/* ---- cubes ---- */

static int cubes_left(const EinsteinState *s, int owner)
{
    int left = 0;
    for (int cube = 0; cube < EINSTEIN_CUBES; cube++)
        left += s->cubes[owner][cube] != EINSTEIN_GONE;
    return left;
}

static bool cube_lives(const EinsteinState *s, int owner, int cube)
{
    return s->cubes[owner][cube] != EINSTEIN_GONE;
}

/* The cubes the die calls for, ascending: one or two, none when all are gone. */
static int cubes_called(const EinsteinState *s, int owner, int called[2])
{
    int lower = s->die, higher = s->die, count = 0;
    while (lower >= 0 && !cube_lives(s, owner, lower))
        lower--;
    while (higher < EINSTEIN_CUBES && !cube_lives(s, owner, higher))
        higher++;
    if (lower >= 0)
        called[count++] = lower;
    if (higher < EINSTEIN_CUBES && higher != lower)
        called[count++] = higher;
    return count;
}

/* ---- moves ---- */

/* Appends a cube's step: one move, or six with a set die. */
static int step_append(const EinsteinGame *e, int cube, int direction, uint8_t *moves)
{
    int dice = e->variant == NOGO_EINSTEIN_SETDIE ? EINSTEIN_DIE_SIDES : 1;
    for (int die = 0; die < dice; die++)
        moves[die] = (uint8_t)einstein_move(e->variant, cube, direction, die);
    return dice;
}

static int dice_append(int base, uint8_t *moves)
{
    for (int die = 0; die < EINSTEIN_DIE_SIDES; die++)
        moves[die] = (uint8_t)(base + die);
    return EINSTEIN_DIE_SIDES;
}

static int einstein_moves(const Game *game, const State *state, int player, uint8_t *moves)
{
    const EinsteinGame *e = einstein_game(game);
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    if (s->die == EINSTEIN_NO_DIE)
        return dice_append(e->variant == NOGO_EINSTEIN_SETDIE ? EINSTEIN_SET_ONLY : EINSTEIN_THROW, moves);
    int called[2], cubes = cubes_called(s, player, called), count = 0;
    for (int i = 0; i < cubes; i++)
        for (int direction = 0; direction < e->directions; direction++)
            if (step_stays_on(e, s->cubes[player][called[i]], direction))
                count += step_append(e, called[i], direction, moves + count);
    return count;
}

static int einstein_move_count(const Game *game, const State *state)
{
    uint8_t moves[NOGO_MAX_MOVES];
    return state->outcome == NOGO_UNFINISHED ? einstein_moves(game, state, state->turn, moves) : 0;
}

typedef struct {
    int cube, direction, die; /* -1 where the move says nothing of it */
} Move;

static Move move_read(const EinsteinGame *e, int move)
{
    bool setdie = e->variant == NOGO_EINSTEIN_SETDIE;
    int only_die = setdie ? EINSTEIN_SET_ONLY : e->variant == NOGO_EINSTEIN_CLASSIC ? EINSTEIN_THROW : NOGO_MAX_MOVES;
    if (move >= only_die)
        return (Move){-1, -1, move - only_die};
    int step = setdie ? move / EINSTEIN_DIE_SIDES : move;
    return (Move){step / e->directions, step % e->directions, setdie ? move % EINSTEIN_DIE_SIDES : -1};
}

static bool cube_is_called(const EinsteinState *s, int owner, int cube)
{
    int called[2], count = cubes_called(s, owner, called);
    return (count > 0 && called[0] == cube) || (count > 1 && called[1] == cube);
}

static nogo_reason einstein_check(const Game *game, const State *state, int move)
{
    const EinsteinGame *e = einstein_game(game);
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    Move m = move_read(e, move);
    if (state->outcome != NOGO_UNFINISHED)
        return NOGO_GAME_OVER;
    if (m.cube < 0)
        return s->die == EINSTEIN_NO_DIE ? NOGO_LEGAL : NOGO_DIE_KNOWN;
    if (s->die == EINSTEIN_NO_DIE)
        return NOGO_DIE_FIRST;
    if (!cube_lives(s, state->turn, m.cube))
        return NOGO_NO_CUBE;
    if (!cube_is_called(s, state->turn, m.cube))
        return NOGO_WRONG_CUBE;
    return step_stays_on(e, s->cubes[state->turn][m.cube], m.direction) ? NOGO_LEGAL : NOGO_OFF_BOARD;
}

static void cube_move(const EinsteinGame *e, EinsteinState *s, int owner, Move m)
{
    uint8_t target = (uint8_t)(s->cubes[owner][m.cube] + EINSTEIN_STEPS[m.direction]);
    for (int cube = 0; cube < EINSTEIN_CUBES; cube++) {
        if (s->cubes[owner][cube] == target)
            s->cubes[owner][cube] = EINSTEIN_GONE;
        if (s->cubes[!owner][cube] == e->goal - target)
            s->cubes[!owner][cube] = EINSTEIN_GONE;
    }
    s->cubes[owner][m.cube] = target;
}

static bool corner_reached(const EinsteinGame *e, const EinsteinState *s, int owner)
{
    for (int cube = 0; cube < EINSTEIN_CUBES; cube++)
        if (s->cubes[owner][cube] == e->goal)
            return true;
    return false;
}

/* The side that has just moved wins in the corner or alone on the board. A side that has a cube and no step does not
 * exist: only the goal has none. */
static void state_judge(const EinsteinGame *e, State *state)
{
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    int mover = mover_of(state), last = !mover;
    bool alone = !cubes_left(s, mover);
    bool won = alone || corner_reached(e, s, last);
    state->outcome = won ? (uint8_t)einstein_outcome(last, alone) : NOGO_UNFINISHED;
}

/* Whose turn it is and with which die, when the die is not set by a move. */
static void turn_begin(const EinsteinGame *e, State *state)
{
    EinsteinState *s = STATE_BODY(EinsteinState, state);
    bool thrown = e->variant == NOGO_EINSTEIN_CLASSIC && state->outcome == NOGO_UNFINISHED;
    state->turn = thrown ? NOGO_CHANCE : (uint8_t)mover_of(state);
    if (e->variant == NOGO_EINSTEIN_COURSE)
        s->die = s->dice[state->ply % NOGO_DICE];
}

static void einstein_play(const Game *game, State *state, int move)
{
    const EinsteinGame *e = einstein_game(game);
    EinsteinState *s = STATE_BODY(EinsteinState, state);
    Move m = move_read(e, move);
    if (state->turn == NOGO_CHANCE) {
        s->die = (uint8_t)m.die;
        state->turn = (uint8_t)mover_of(state);
        return;
    }
    if (m.cube >= 0)
        cube_move(e, s, state->turn, m);
    state->ply++;
    state_judge(e, state);
    bool set = m.die >= 0 && state->outcome == NOGO_UNFINISHED;
    s->die = set ? (uint8_t)m.die : EINSTEIN_NO_DIE;
    turn_begin(e, state);
}

/* ---- positions ---- */

static const uint8_t COURSE_START[2][EINSTEIN_CUBES] = {{0, 1, 2, 7, 8, 14}, {27, 33, 34, 39, 40, 41}};
static const uint8_t SMALL_START[2][EINSTEIN_CUBES] = {{0, 1, 2, 5, 6, 10}, {24, 23, 22, 19, 18, 14}};

typedef const uint8_t (*StartCells)[EINSTEIN_CUBES];

static StartCells start_cells(const EinsteinGame *e)
{
    return e->variant == NOGO_EINSTEIN_COURSE ? COURSE_START : SMALL_START;
}

static void einstein_start(const Game *game, State *state)
{
    const EinsteinGame *e = einstein_game(game);
    EinsteinState *s = STATE_BODY(EinsteinState, state);
    for (int owner = 0; owner < 2; owner++)
        for (int cube = 0; cube < EINSTEIN_CUBES; cube++)
            s->cubes[owner][cube] = (uint8_t)square_of(e, start_cells(e)[owner][cube], owner);
    s->die = EINSTEIN_NO_DIE;
    for (int i = 0; i < NOGO_DICE && e->variant == NOGO_EINSTEIN_COURSE; i++)
        s->dice[i] = (uint8_t)(i % EINSTEIN_DIE_SIDES);
    state->outcome = NOGO_UNFINISHED;
    turn_begin(e, state);
}

static nogo_status cubes_read(const EinsteinGame *e, const Layout *layout, int *cell, EinsteinState *s)
{
    memset(s->cubes, EINSTEIN_GONE, sizeof s->cubes);
    for (*cell = 0; *cell < e->head.cells; ++*cell) {
        int value = layout->cells[*cell] - 1;
        if (value < 0)
            continue;
        if (value >= 2 * EINSTEIN_CUBES)
            return NOGO_E_CELL;
        int owner = value / EINSTEIN_CUBES;
        uint8_t *cube = &s->cubes[owner][value % EINSTEIN_CUBES];
        if (*cube != EINSTEIN_GONE)
            return NOGO_E_CELL;
        *cube = (uint8_t)square_of(e, *cell, owner);
    }
    *cell = -1;
    return NOGO_OK;
}

static nogo_status end_check(const EinsteinGame *e, const State *state)
{
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    bool won[2];
    for (int owner = 0; owner < 2; owner++)
        won[owner] = corner_reached(e, s, owner) || !cubes_left(s, !owner);
    if (won[0] && won[1])
        return NOGO_E_ENDED;
    return won[mover_of(state)] ? NOGO_E_TURN : NOGO_OK; /* only a move wins, so the winner is never to move */
}

/* How far on a square is: every step adds at least one, and few enough that the sum over all cubes bounds the plies. */
static int square_progress(const EinsteinGame *e, int square)
{
    return square / 8 + (e->variant == NOGO_EINSTEIN_COURSE ? 2 : 1) * (square % 8);
}

static bool on_start_square(const EinsteinGame *e, int square)
{
    for (int i = 0; i < EINSTEIN_CUBES; i++)
        if (square_of(e, start_cells(e)[NOGO_FIRST][i], NOGO_FIRST) == square)
            return true;
    return false;
}

/* Each ply moves one cube on and captures one at the most; both hold after every further move. */
static bool ply_fits(const EinsteinGame *e, const State *state)
{
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    int moves = state->ply - (e->variant == NOGO_EINSTEIN_SETDIE && state->ply > 0), gone = 0, progress = 0;
    for (int owner = 0; owner < 2; owner++)
        for (int cube = 0; cube < EINSTEIN_CUBES; cube++) {
            bool lives = cube_lives(s, owner, cube);
            if (moves == 0 && !(lives && on_start_square(e, s->cubes[owner][cube])))
                return false;
            gone += !lives;
            progress += square_progress(e, lives ? s->cubes[owner][cube] : e->goal);
        }
    return gone <= moves && moves <= progress;
}

/* The die a layout must show, and whose turn that makes it. */
static nogo_status die_read(const EinsteinGame *e, const Layout *layout, State *state)
{
    EinsteinState *s = STATE_BODY(EinsteinState, state);
    bool known = layout->die < EINSTEIN_DIE_SIDES;
    if (!known && layout->die != EINSTEIN_NO_DIE)
        return NOGO_E_DIE;
    for (int i = 0; i < NOGO_DICE && e->variant == NOGO_EINSTEIN_COURSE; i++) {
        if (layout->dice[i] >= EINSTEIN_DIE_SIDES)
            return NOGO_E_DIE;
        s->dice[i] = layout->dice[i];
    }
    s->die = EINSTEIN_NO_DIE;
    turn_begin(e, state);
    if (e->variant == NOGO_EINSTEIN_COURSE)
        return NOGO_OK; /* the cycle says it all */
    bool over = state->outcome != NOGO_UNFINISHED;
    bool expected = !over && (e->variant == NOGO_EINSTEIN_CLASSIC ? layout->turn != NOGO_CHANCE : state->ply > 0);
    if (known != expected)
        return NOGO_E_DIE;
    if (known) {
        s->die = layout->die;
        state->turn = (uint8_t)mover_of(state);
    }
    return NOGO_OK;
}

static nogo_status einstein_set(const Game *game, const Layout *layout, int *cell, State *state)
{
    const EinsteinGame *e = einstein_game(game);
    nogo_status status = cubes_read(e, layout, cell, STATE_BODY(EinsteinState, state));
    if (status != NOGO_OK)
        return status;
    state->ply = layout->ply;
    if ((status = end_check(e, state)) != NOGO_OK)
        return status;
    if (!ply_fits(e, state))
        return NOGO_E_PLY;
    state_judge(e, state);
    if ((status = die_read(e, layout, state)) != NOGO_OK)
        return status;
    return layout->turn == state->turn ? NOGO_OK : NOGO_E_TURN;
}

static void einstein_get(const Game *game, const State *state, Layout *layout)
{
    const EinsteinGame *e = einstein_game(game);
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    memset(layout->cells, 0, sizeof layout->cells);
    for (int owner = 0; owner < 2; owner++)
        for (int cube = 0; cube < EINSTEIN_CUBES; cube++)
            if (cube_lives(s, owner, cube))
                layout->cells[cell_of(e, s->cubes[owner][cube], owner)] = (uint8_t)(1 + owner * EINSTEIN_CUBES + cube);
    layout->die = s->die;
    memcpy(layout->dice, s->dice, sizeof layout->dice);
}

static uint64_t einstein_key(const Game *game, const State *state)
{
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    bool course = einstein_game(game)->variant == NOGO_EINSTEIN_COURSE;
    uint64_t key = game->tag;
    for (int owner = 0; owner < 2; owner++) {
        uint64_t squares = 0;
        for (int cube = 0; cube < EINSTEIN_CUBES; cube++)
            squares = squares << 8 | s->cubes[owner][cube];
        key = rng_mix((key ^ squares) + RNG_GOLDEN);
    }
    for (int i = 0; i < NOGO_DICE && course; i++) /* the dice to come, wherever in the cycle we are */
        key = rng_mix((key ^ s->dice[(state->ply + i) % NOGO_DICE]) + RNG_GOLDEN);
    return rng_mix((key ^ (uint64_t)(s->die << 8 | mover_of(state))) + RNG_GOLDEN);
}

/* By logistic regression of the results of 2,000 and more games of each variant, whose players took the best move by the
 * evaluation with probability 0.7, else any. */
static double scale_of(int variant)
{
    return variant == NOGO_EINSTEIN_COURSE ? 3.1 : variant == NOGO_EINSTEIN_CLASSIC ? 2.75 : 2.5;
}

/* Steps to the goal for the nearest cube: the way is straight or diagonal, so the longer of both distances. */
static int goal_distance(const EinsteinGame *e, const EinsteinState *s, int owner)
{
    int least = NOGO_MAX_SIDE;
    for (int cube = 0; cube < EINSTEIN_CUBES; cube++) {
        if (!cube_lives(s, owner, cube))
            continue;
        int down = e->rows - 1 - s->cubes[owner][cube] / 8, right = e->columns - 1 - s->cubes[owner][cube] % 8;
        int distance = down > right ? down : right;
        least = distance < least ? distance : least;
    }
    return least;
}

static int einstein_evaluate(const Game *game, const State *state)
{
    const EinsteinGame *e = einstein_game(game);
    const EinsteinState *s = STATE_BODY_CONST(EinsteinState, state);
    return goal_distance(e, s, NOGO_SECOND) - goal_distance(e, s, NOGO_FIRST);
}

static int einstein_winner(int outcome) { return 2 * outcome > EINSTEIN_REWARD_UNIT ? NOGO_FIRST : NOGO_SECOND; }
static int einstein_reward(int outcome) { return outcome; }

static const GameRules EINSTEIN_RULES = {
    .start = einstein_start,
    .set = einstein_set,
    .get = einstein_get,
    .moves = einstein_moves,
    .move_count = einstein_move_count,
    .check = einstein_check,
    .play = einstein_play,
    .key = einstein_key,
    .winner = einstein_winner,
    .reward = einstein_reward,
    .evaluate = einstein_evaluate,
};

#define KERNELS_ENTRY(isa) &einstein_kernels_##isa,
static const PlayoutKernels *const KERNELS[] = {ISA_ALL(KERNELS_ENTRY)};

nogo_status einstein_family_new(const nogo_spec *spec, int isa, Game **game)
{
    static const int MOVE_COUNTS[] = {
        [NOGO_EINSTEIN_COURSE] = EINSTEIN_CUBES * 4,
        [NOGO_EINSTEIN_CLASSIC] = EINSTEIN_THROW + EINSTEIN_DIE_SIDES,
        [NOGO_EINSTEIN_SETDIE] = EINSTEIN_SET_ONLY + EINSTEIN_DIE_SIDES,
    };
    bool course = spec->variant == NOGO_EINSTEIN_COURSE;
    if (spec->variant < 0 || spec->variant > NOGO_EINSTEIN_SETDIE || spec->columns != (course ? 7 : 5) ||
        spec->rows != (course ? 6 : 5) || spec->hole_count)
        return NOGO_E_ARGUMENT;
    EinsteinGame *made = malloc(sizeof *made);
    if (!made)
        return NOGO_E_NOMEM;
    *made = (EinsteinGame){.head = {.rules = &EINSTEIN_RULES,
                                    .kernels = KERNELS[isa],
                                    .cells = spec->columns * spec->rows,
                                    .move_count = MOVE_COUNTS[spec->variant],
                                    .outcome_count = EINSTEIN_REWARD_UNIT + 1,
                                    .reward_unit = EINSTEIN_REWARD_UNIT,
                                    .state_bytes = offsetof(State, body) + sizeof(EinsteinState),
                                    .evaluation_scale = scale_of(spec->variant)},
                           .variant = spec->variant,
                           .columns = spec->columns,
                           .rows = spec->rows,
                           .directions = course ? 4 : 3,
                           .goal = (spec->rows - 1) * 8 + spec->columns - 1};
    for (int row = 0; row < spec->rows; row++)
        for (int column = 0; column < spec->columns; column++)
            made->ways[row * 8 + column] = (uint8_t)ways_from(made, row, column);
    *game = &made->head;
    return NOGO_OK;
}
