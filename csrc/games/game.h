/* What a game is, to everything that is not a game: one table of functions. A whole playout is one operation of it,
 * so that nothing in a playout is called through a pointer. A game knows its rules, bits.h and rng.h, and no other game. */
#ifndef NOGO_GAME_H
#define NOGO_GAME_H

#include "../bits.h"
#include "../core.h"
#include "../isa.h"
#include "../rng.h"

typedef nogo_game Game;
typedef nogo_state State;
typedef nogo_layout Layout;
typedef nogo_totals Totals;

typedef nogo_played Played;

/* Games number first to first + count - 1 of a seed; first is a multiple of NOGO_BLOCK, count at most NOGO_BLOCK. */
typedef struct {
    uint64_t seed, first;
    int count;
    bool amaf;
} PlayoutBlock;

/* One way to play at random. An entry is null where the game does not offer it. */
typedef struct {
    /* Plays an unfinished game to its end; leaves state finished and returns its outcome. */
    int (*one)(const Game *game, State *state, Rng *rng, Played *played);
    /* Plays a block of games from one unfinished state, several at a time in the lanes of vectors. */
    void (*block)(const Game *game, const State *state, const PlayoutBlock *block, Totals *totals);
    /* Plays each of count unfinished states to its end, a lane each: other games than one and block play. The states'
     * outcomes are set, the rest of them is undefined. played may be null. */
    void (*each)(const Game *game, State *states, int count, uint64_t seed, Played *played);
} PlayoutWay;

/* A game's inner loops, compiled once for each instruction set, by nogo_playout. */
typedef struct {
    PlayoutWay ways[NOGO_PLAYOUT_WAYS];
} PlayoutKernels;

typedef struct {
    void (*start)(const Game *game, State *state);
    /* Checks a layout and makes it a state; on error *cell is the place, or -1. */
    nogo_status (*set)(const Game *game, const Layout *layout, int *cell, State *state);
    void (*get)(const Game *game, const State *state, Layout *layout);
    /* The moves player would have were it its turn, ascending; at NOGO_CHANCE the outcomes, all equally likely. */
    int (*moves)(const Game *game, const State *state, int player, uint8_t *moves);
    int (*move_count)(const Game *game, const State *state); /* how many the side to move has */
    nogo_reason (*check)(const Game *game, const State *state, int move);
    void (*play)(const Game *game, State *state, int move); /* the move is legal */
    uint64_t (*key)(const Game *game, const State *state);
    int (*winner)(int outcome);                             /* NOGO_FIRST, NOGO_SECOND or -1 */
    int (*reward)(int outcome);                             /* the first player's, in units */
    /* What a player who knows the game sees without searching: the first player's advantage, in the game's own units
     * (evaluation_scale of them are odds of e to 1). Null where there is none; the state is unfinished. */
    int (*evaluate)(const Game *game, const State *state);
    double (*margin)(int outcome);                          /* the first player's, -1 to 1; null where wins are not graded so */
} GameRules;

/* The head of every game; the game's own tables follow it in memory. */
struct nogo_game {
    uint32_t magic;                /* GAME_MAGIC: tells a game from stray memory */
    uint32_t tag;                  /* equal for equal games, carried by their states */
    const GameRules *rules;
    const PlayoutKernels *kernels; /* of the instruction set in use */
    int isa;                       /* that set */
    int family;                    /* nogo_family */
    int cells, move_count, outcome_count, reward_unit;
    int state_bytes;               /* how much of a State is in use, from its beginning */
    double evaluation_scale;       /* see evaluate */
    Bits favoured;                 /* moves that experience favours: Othello's corners */
};

#define GAME_MAGIC 0x4e6f476fu

/* Each family's constructor: checks the spec and allocates. */
nogo_status nogo_family_new(const nogo_spec *spec, int isa, Game **game);
nogo_status othello_family_new(const nogo_spec *spec, int isa, Game **game);
nogo_status einstein_family_new(const nogo_spec *spec, int isa, Game **game);

/* A state's own part, seen as the game's struct (which is declared may_alias). */
#define STATE_BODY(Type, state) ((Type *)(void *)(state)->body)
#define STATE_BODY_CONST(Type, state) ((const Type *)(const void *)(state)->body)

#endif
