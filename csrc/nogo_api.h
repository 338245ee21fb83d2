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
    NOGO_E_ILLEGAL,      /* a move against the rules: ask nogo_move_check for the reason */
    NOGO_E_PLUGIN        /* a plugin built for another version, or one whose function has returned what cannot be */
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
    NOGO_API_VERSION = 3,    /* of the declarations in this file; whoever uses them compares */
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

/* ---- functions of others, see plugin.h ---- */

/* A set of up to 128 members; bits.h works with them. */
typedef struct nogo_bits {
    uint64_t lo, hi;
} nogo_bits;

/* A source of randomness; rng.h draws from it. */
typedef struct nogo_rng {
    uint64_t a, b, c, counter;
} nogo_rng;

/* What was played in a playout: each player's moves, for all-moves-as-first statistics. */
typedef struct nogo_played {
    nogo_bits by[2];
    int moves;                /* how many; passes and throws of the die do not count */
} nogo_played;

enum {
    NOGO_PLUGIN_VERSION = 1,  /* of nogo_plugin, and of all that plugin.h lets its functions see */
    NOGO_PLUGIN_MAGIC = 1886741615,
    NOGO_FAMILY_ANY = -1
};

/* Functions that take the place of a game's own in a search. They are called by several threads at once, and for the same
 * arguments always do the same: all randomness is drawn from rng. Either may be null. */
typedef struct nogo_plugin {
    uint32_t magic, version;  /* these two stand here in every version */
    uint64_t sizes;           /* of the structs as its compiler saw them: NOGO_PLUGIN_SIZES of plugin.h */
    const char *name;
    int family;               /* nogo_family: whose states it knows; or NOGO_FAMILY_ANY */
    /* Plays an unfinished game to its end and returns the outcome. What is left in state does not matter. played is null,
     * or empty and to be filled, where the search learns from the moves (RAVE). */
    int (*playout)(const nogo_game *game, nogo_state *state, nogo_rng *rng, nogo_played *played, const void *data);
    /* What the first player may expect of an unfinished game: from 0, all lost, to 1. */
    double (*evaluate)(const nogo_game *game, const nogo_state *state, const void *data);
} nogo_plugin;

/* NOGO_E_HANDLE for what is no plugin, NOGO_E_PLUGIN for one built against other headers. */
nogo_status nogo_plugin_check(const nogo_plugin *plugin);

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
int nogo_game_offers_margin(const nogo_game *game);

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
/* The job's games one at a time, as a tree search plays them (other games than nogo_playouts plays, where that plays
 * several at once); one thread. */
nogo_status nogo_playouts_single(const nogo_game *game, const nogo_position *position, const nogo_playout_job *job,
                                 nogo_totals *totals);
/* One game from each of count positions (at most NOGO_BLOCK), as a search plays the leaves it has gathered: positions[i]'s
 * game depends on the seed, the way, i and that position alone. Writes their outcomes, and adds the games to totals. */
nogo_status nogo_playouts_each(const nogo_game *game, const nogo_position *positions, int count, uint64_t seed, int way,
                               uint8_t *outcomes, nogo_totals *totals);

/* ---- search ---- */

typedef enum nogo_policy { NOGO_UCB1 = 0, NOGO_TUNED, NOGO_RAVE_MSE, NOGO_RAVE_HAND, NOGO_RAVE_HAHA, NOGO_POLICIES } nogo_policy;
typedef enum nogo_leaf { NOGO_LEAF_SINGLE = 0, NOGO_LEAF_LANES, NOGO_LEAF_LEAVES } nogo_leaf;
typedef enum nogo_value { NOGO_VALUE_PLAYOUT = 0, NOGO_VALUE_EVALUATION, NOGO_VALUE_PLIES } nogo_value;
typedef enum nogo_prune { NOGO_PRUNE_NONE = 0, NOGO_PRUNE_VISITS, NOGO_PRUNE_STATISTICAL } nogo_prune;
typedef enum nogo_choice { NOGO_CHOICE_VISITS = 0, NOGO_CHOICE_MEAN, NOGO_CHOICE_LOWER_BOUND, NOGO_CHOICE_TEMPERATURE } nogo_choice;
typedef enum nogo_parallel { NOGO_PARALLEL_NONE = 0, NOGO_PARALLEL_LEAF, NOGO_PARALLEL_ROOT, NOGO_PARALLEL_TREE } nogo_parallel;

/* What is known of a move's or position's outcome. */
typedef enum nogo_proven {
    NOGO_OPEN = 0,
    NOGO_FIRST_WINS,
    NOGO_SECOND_WINS,
    NOGO_DRAWN,
    NOGO_CUT             /* a root move that pruning has taken out */
} nogo_proven;

typedef enum nogo_stopped {
    NOGO_RUNNING = 0,
    NOGO_STOP_PLAYOUTS,  /* the playouts are spent */
    NOGO_STOP_TIME,      /* the time is */
    NOGO_STOP_EARLY,     /* the second most visited move can no longer catch up */
    NOGO_STOP_PROVEN,    /* the result is known */
    NOGO_STOP_SINGLE,    /* there was only one move */
    NOGO_STOP_WIN        /* a move wins at once */
} nogo_stopped;

enum { NOGO_MAX_LEAF = 4096, NOGO_MAX_LEAVES = 128, NOGO_LINE = 256 };

typedef struct nogo_search_options {
    int policy;               /* nogo_policy */
    double c, c1, c2;         /* exploration; tuned: factor of the variance's bound, cap of the variance */
    double b, k;              /* rave: bias of the minimum-MSE schedule; equivalence of the hand-selected one */
    double prior;             /* rave: AMAF visits that every move starts with, at one half */
    double fpu;               /* value of an unvisited child; negative: unvisited children come first */
    int expand_all;           /* playouts start at the new node itself, not at a child of it */
    int threshold;            /* playouts through a child before it gets a node of its own */
    int playouts;             /* a leaf; leaves at once for NOGO_LEAF_LEAVES */
    int leaf;                 /* nogo_leaf */
    int value;                /* nogo_value */
    int plies;                /* NOGO_VALUE_PLIES: random moves before the evaluation */
    int playout;              /* nogo_playout */
    int flat;                 /* no node below the root's children */
    int graded;               /* the game's graded rewards, not only win and loss */
    double margin;            /* weight of the margin in the reward */
    double favour;            /* factor on the score of the game's favoured moves */
    int solver;
    int shortcuts;            /* at the root: a single or a winning move at once */
    int prune;                /* nogo_prune */
    int prune_every, prune_samples;
    double prune_rd, prune_sigma;
    double descent_k;         /* descend at random with weight exp(k * score); negative: by the best score */
    int choice;               /* nogo_choice */
    double choice_k, choice_z;
    int reuse;                /* keep what the tree knows of the next position */
    int parallel;             /* nogo_parallel */
    int threads;
    int vote;                 /* root parallel: each tree has one vote */
    uint64_t memory;          /* bytes for nodes */
    double early;             /* EARLY's p; 0: off */
    double unst;              /* UNST's fraction; 0: off */
    int unst_limit;
    double close, close_ratio;
    double behind, behind_mean;
    const nogo_plugin *plugin; /* or null; it and its data outlive the search */
    const void *plugin_data;
} nogo_search_options;

/* Either of playouts and seconds is 0. */
typedef struct nogo_search_budget {
    uint64_t playouts;
    double seconds;
    uint64_t seed;
} nogo_search_budget;

typedef struct nogo_search_report {
    int32_t count;                /* of the root's moves */
    uint8_t moves[128];
    int64_t visits[128];          /* playouts through each, those of earlier searches that were kept among them */
    double means[128];            /* of the mover's reward */
    double variances[128];
    int64_t amaf_visits[128];
    double amaf_means[128];
    uint8_t proven[128];          /* nogo_proven */
    int32_t votes[128];           /* root parallel: trees that would choose it */
    int32_t move;                 /* the choice */
    int32_t root_proven;          /* nogo_proven */
    uint64_t playouts;            /* of this search */
    uint64_t kept;                /* playouts through the root that an earlier search had made */
    uint64_t iterations;
    uint64_t depth_sum;           /* moves from the root to the leaf, over all iterations */
    int32_t depth;                /* the most of them */
    uint64_t nodes, bytes;        /* in the tree */
    int32_t full;                 /* the memory is used up: the search went on without growing */
    int32_t extensions;           /* times UNST, CLOSE and BEHIND searched on */
    double seconds;
    int32_t stopped;              /* nogo_stopped */
    int32_t line_length;
    uint8_t line[256];            /* the principal variation */
} nogo_search_report;

typedef struct nogo_search nogo_search;

/* An option out of its range is NOGO_E_ARGUMENT; a way to play or to evaluate that the game does not offer too, and a
 * plugin for another family. */
nogo_status nogo_search_new(const nogo_game *game, const nogo_search_options *options, nogo_search **search);
void nogo_search_free(nogo_search *search);
/* Sets the root; the position is unfinished and not chance's turn. */
nogo_status nogo_search_begin(nogo_search *search, const nogo_position *position, const nogo_search_budget *budget);
/* Searches for about so long, or to the end of the budget; *stopped is NOGO_RUNNING if there is more to do. NOGO_E_PLUGIN,
 * now and ever after, when the plugin has returned an outcome that the game does not have, or a value not from 0 to 1. */
nogo_status nogo_search_run(nogo_search *search, double seconds, int *stopped);
/* May be asked for at any time after nogo_search_begin. */
nogo_status nogo_search_report_get(nogo_search *search, nogo_search_report *report);

/* ---- alpha-beta, for games without chance ---- */

typedef enum nogo_alphabeta_mode {
    NOGO_ALPHABETA_FIXED, /* to one depth, moves in their order, without the table: the first of equal moves */
    NOGO_ALPHABETA_DEEPEN, /* depth after depth, until the outcome is proven */
    NOGO_ALPHABETA_SOLVE  /* win, draw or loss alone; how soon does not count, nor does the evaluation */
} nogo_alphabeta_mode;

enum {
    NOGO_MAX_DEPTH = 128,
    NOGO_ALPHABETA_WIN = 1048576 /* value of a game won, less the plies it takes; far beyond any evaluation */
};

typedef struct nogo_alphabeta nogo_alphabeta; /* a search with its memory; one thread at a time */

typedef struct nogo_alphabeta_result {
    int move;                 /* the best known, -1 while there is none */
    int value;                /* to the side to move */
    int proven;               /* the value rests on the ends of games alone, or is a win or a loss */
    int depth;                /* the deepest that was completed */
    int finished;             /* nothing is left to search */
    int length;               /* of the variation */
    uint64_t nodes;           /* moves made */
    uint8_t variation[128];
} nogo_alphabeta_result;

/* The game must outlive the search. A game with chance is refused as NOGO_E_ARGUMENT. The table takes at most so many
 * bytes. */
nogo_status nogo_alphabeta_new(const nogo_game *game, uint64_t table_bytes, nogo_alphabeta **search);
void nogo_alphabeta_free(nogo_alphabeta *search);
/* From an unfinished position; depth is from 1 to NOGO_MAX_DEPTH, and read in mode NOGO_ALPHABETA_FIXED only. */
nogo_status nogo_alphabeta_start(nogo_alphabeta *search, const nogo_position *position, int mode, int depth);
/* Searches on for so many nodes, or to the end. However it is cut into runs, the search is the same. */
nogo_status nogo_alphabeta_run(nogo_alphabeta *search, uint64_t nodes, nogo_alphabeta_result *result);
