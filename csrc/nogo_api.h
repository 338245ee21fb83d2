/* The public declarations of the engine. cffi reads this very file, so it has no preprocessor lines.
 *
 * A call that can fail returns a nogo_status and writes its outputs last; on failure they are untouched (but for the
 * place of a layout's fault). Null pointers are refused as NOGO_E_HANDLE.
 * States are plain values: fixed size, copied by assignment, opaque but for the header that all games share. */

typedef enum nogo_status {
    NOGO_OK = 0,
    NOGO_E_NOMEM,        /* memory could not be had */
    NOGO_E_HANDLE,       /* a null or foreign game, or a state of another game */
    NOGO_E_ARGUMENT,     /* a number out of its range */
    NOGO_E_ISA,          /* an instruction set that is not built, or not of this machine */
    NOGO_E_CELL,         /* layout: a cell holds what the game does not know, or twice the same cube */
    NOGO_E_COUNTS,       /* layout: more or fewer stones than turns allow */
    NOGO_E_PLY,          /* layout: the board cannot have come about in so many moves */
    NOGO_E_LIBERTY,      /* layout: a chain without a liberty */
    NOGO_E_CENTRE,       /* layout: Othello's four centre squares are always taken */
    NOGO_E_ISLAND,       /* layout: a disc that no chain of discs connects with the centre */
    NOGO_E_TURN,         /* layout: this side cannot be to move */
    NOGO_E_DIE,          /* layout: the die is missing, out of range, or not to be known yet */
    NOGO_E_ENDED,        /* layout: both sides have won, or nobody is left */
    NOGO_E_ILLEGAL       /* a move against the rules: ask nogo_move_check for the reason */
} nogo_status;

typedef enum nogo_reason {
    NOGO_LEGAL = 0,
    NOGO_NOT_A_MOVE,     /* no such move in this game */
    NOGO_GAME_OVER,
    NOGO_NOT_YOUR_TURN,
    NOGO_DIE_FIRST,      /* EinStein: the die has not been thrown or set yet */
    NOGO_DIE_KNOWN,      /* EinStein: the die has been thrown or set already */
    NOGO_OFF_BOARD,      /* outside, or a hole */
    NOGO_NOT_EMPTY,
    NOGO_SUICIDE,        /* NoGo: the new stone's chain would have no liberty */
    NOGO_CAPTURE,        /* NoGo: a chain of the opponent would have no liberty */
    NOGO_FLIPS_NOTHING,  /* Othello */
    NOGO_PASS,           /* Othello: a pass while a move exists */
    NOGO_NO_CUBE,        /* EinStein: the cube is gone */
    NOGO_WRONG_CUBE      /* EinStein: the die calls for another cube */
} nogo_reason;

typedef enum nogo_family { NOGO_FAMILY_NOGO, NOGO_FAMILY_OTHELLO, NOGO_FAMILY_EINSTEIN } nogo_family;

/* EinStein's three forms; 0 for the other families. */
typedef enum nogo_variant { NOGO_EINSTEIN_COURSE = 0, NOGO_EINSTEIN_CLASSIC = 1, NOGO_EINSTEIN_SETDIE = 2 } nogo_variant;

/* Ways to play at random; a game offers the first, and some of the others. */
typedef enum nogo_playout {
    NOGO_PLAYOUT_UNIFORM = 0, /* uniform over the legal moves */
    NOGO_PLAYOUT_BOTH_LEGAL,  /* NoGo: over the points that both sides may play; if there are none, uniform */
    NOGO_PLAYOUT_SHORTCUT,    /* EinStein: a move that wins at once is made; else uniform */
    NOGO_PLAYOUT_CORNERS,     /* Othello: over the corners; else over all but the X squares; else uniform */
    NOGO_PLAYOUT_WAYS
} nogo_playout;

enum {
    NOGO_API_VERSION = 1,    /* of the declarations in this file; whoever uses them compares */
    NOGO_FIRST = 0,          /* black, red */
    NOGO_SECOND = 1,         /* white, blue */
    NOGO_CHANCE = 2,         /* a die is to be thrown */
    NOGO_UNFINISHED = 255,   /* nogo_state.outcome while the game goes on */
    NOGO_MAX_SIDE = 16,
    NOGO_MAX_POINTS = 121,
    NOGO_MAX_MOVES = 128,    /* size of the largest move space */
    NOGO_MAX_OUTCOMES = 129, /* Othello: -64 to +64 discs */
    NOGO_DICE = 21,          /* EinStein's course board: length of the dice cycle */
    NOGO_BLOCK = 4096,       /* playouts are cut into jobs at multiples of this */
    NOGO_MAX_THREADS = 256,
    NOGO_HOLE = 255          /* layout: a cell that is not part of the board */
};

typedef struct nogo_game nogo_game; /* immutable once made; may be shared by threads */

typedef struct nogo_spec {
    int family;               /* nogo_family */
    int variant;              /* nogo_variant */
    int columns, rows;
    int hole_count;
    uint8_t holes[121];       /* NoGo: cell indices, row by row from the top left */
} nogo_spec;

typedef struct nogo_state {
    uint32_t game_tag;        /* which game it belongs to */
    uint16_t ply;             /* moves so far; a pass counts, a throw of the die does not */
    uint8_t turn;             /* NOGO_FIRST, NOGO_SECOND or NOGO_CHANCE */
    uint8_t outcome;          /* NOGO_UNFINISHED, or index of the result, see nogo_game_outcome */
    uint64_t body[12];        /* the game's own */
} nogo_state;

/* A state and what a caller asks next, from one call: the moves of the side to move, ascending. */
typedef struct nogo_position {
    nogo_state state;
    int32_t move_count;
    uint8_t moves[128];
} nogo_position;

/* A position spelt out, for text and arrays. Cells: 0 empty, NOGO_HOLE; 1 first, 2 second;
 * EinStein: 1 + n is cube n of the first player, 7 + n of the second, n from 0. */
typedef struct nogo_layout {
    uint8_t cells[121];
    uint8_t turn;
    uint8_t die;              /* EinStein: number from 0 of the die in force, 255 none */
    uint8_t dice[21];         /* EinStein's course board: the cycle */
    uint16_t ply;
} nogo_layout;

typedef struct nogo_totals {
    uint64_t games;
    uint64_t moves;               /* played in all games; passes and throws of the die do not count */
    uint64_t outcomes[129];       /* games by outcome */
    uint64_t amaf_games[2][128];  /* [player][move]: games in which the player made the move */
    uint64_t amaf_reward[2][128]; /* the first player's reward in these games, in the game's units */
} nogo_totals;

typedef struct nogo_playout_job {
    uint64_t seed;
    uint64_t first;           /* number of the first game; a multiple of NOGO_BLOCK */
    uint64_t count;
    int threads;
    int amaf;
    int way;                  /* nogo_playout */
} nogo_playout_job;

/* Instruction sets, best first. */
int nogo_isa_count(void);
const char *nogo_isa_name(int isa);
int nogo_isa_runs_here(int isa);
const char *nogo_compiler(void);
int nogo_openmp(void);        /* version date of OpenMP, 0 without */
/* Whether so many threads can be started now; OpenMP itself would end the process if not. */
nogo_status nogo_threads_probe(int threads);

nogo_status nogo_game_new(const nogo_spec *spec, int isa, nogo_game **game);
void nogo_game_free(nogo_game *game);
int nogo_game_move_count(const nogo_game *game);
int nogo_game_reward_unit(const nogo_game *game);      /* a won game, in the units of amaf_reward */
int nogo_game_outcome_count(const nogo_game *game);
/* Of outcome: the winner (NOGO_FIRST, NOGO_SECOND, or -1 for a draw) and the first player's reward in units. */
nogo_status nogo_game_outcome(const nogo_game *game, int outcome, int *winner, int *reward);
int nogo_game_offers_playout(const nogo_game *game, int way);
int nogo_game_offers_evaluation(const nogo_game *game);

nogo_status nogo_position_start(const nogo_game *game, nogo_position *position);
/* On a fault of the layout, *cell is its place or -1. */
nogo_status nogo_position_set(const nogo_game *game, const nogo_layout *layout, int *cell, nogo_position *position);
nogo_status nogo_position_get(const nogo_game *game, const nogo_position *position, nogo_layout *layout);
nogo_status nogo_position_play(const nogo_game *game, const nogo_position *position, int move, nogo_position *child);
/* The moves that player would have were it its turn; moves has room for NOGO_MAX_MOVES. */
nogo_status nogo_position_moves(const nogo_game *game, const nogo_position *position, int player, uint8_t *moves, int *count);
nogo_status nogo_position_key(const nogo_game *game, const nogo_position *position, uint64_t *key);
/* The first player's advantage by the game's own judgement, see nogo_game_offers_evaluation; the position is unfinished. */
nogo_status nogo_position_evaluate(const nogo_game *game, const nogo_position *position, int *advantage);
nogo_status nogo_move_check(const nogo_game *game, const nogo_position *position, int move, int player, nogo_reason *reason);
nogo_status nogo_perft(const nogo_game *game, const nogo_position *position, int depth, uint64_t *count);

/* Adds the job's games to totals: the same games whatever the instruction set, the threads and the cutting into jobs. */
nogo_status nogo_playouts(const nogo_game *game, const nogo_position *position, const nogo_playout_job *job, nogo_totals *totals);
/* The job's games one at a time, as a tree search plays them (other games than nogo_playouts plays); one thread. */
nogo_status nogo_playouts_single(const nogo_game *game, const nogo_position *position, const nogo_playout_job *job,
                                 nogo_totals *totals);
