/* The tree's arena: adding nodes, and moving together what is left when the root moves on. */
#include "tree.h"

#include <stdlib.h>
#include <string.h>

enum { FIRST_REF = 8 }; /* 0 means none */

nogo_status tree_make(Tree *tree, const Game *game, uint64_t bytes, TreeKind kind)
{
    uint64_t most = (uint64_t)UINT32_MAX + 1, words = bytes / 8 < most ? bytes / 8 : most;
    *tree = (Tree){.game = game, .capacity = words, .state_words = (game->state_bytes + 7) / 8};
    tree->amaf = kind.amaf;
    tree->squares = kind.squares;
    tree->shared = kind.shared;
    tree->words = malloc(words * 8); /* the system gives the memory as it is touched */
    return tree->words ? NOGO_OK : NOGO_E_NOMEM;
}

void tree_release(Tree *tree)
{
    free(tree->words);
    tree->words = NULL;
}

/* As node_edges lays them: numbers of four bytes, of eight, of one. */
static uint64_t node_words(const Tree *tree, int count)
{
    int halves = (tree->amaf ? 5 : 3) * count;
    return (uint64_t)(NODE_WORDS + tree->state_words + (halves + 1) / 2 + (tree->squares ? 2 : 1) * count + (2 * count + 7) / 8);
}

/* Room for a node; 0 where there is none. */
static NodeRef room_take(Tree *tree, uint64_t words)
{
    uint64_t at = SHARED_LOAD(&tree->used);
    do {
        if (at + words > tree->capacity) {
            SHARED_STORE(&tree->full, true);
            return 0;
        }
    } while (!__atomic_compare_exchange_n(&tree->used, &at, at + words, true, __ATOMIC_RELAXED, __ATOMIC_RELAXED));
    SHARED_ADD(tree, &tree->nodes, 1);
    return (NodeRef)at;
}

static void untried_fill(Node *node)
{
    int count = node->count;
    node->untried[0] = count >= 64 ? ~UINT64_C(0) : (UINT64_C(1) << count) - 1;
    node->untried[1] = count <= 64 ? 0 : count == 128 ? ~UINT64_C(0) : (UINT64_C(1) << (count - 64)) - 1;
}

NodeRef tree_add(Tree *tree, const State *state)
{
    if (SHARED_LOAD(&tree->full))
        return 0;
    uint8_t moves[NOGO_MAX_MOVES];
    int count = tree->game->rules->moves(tree->game, state, state->turn, moves);
    uint64_t words = node_words(tree, count);
    NodeRef ref = room_take(tree, words);
    if (!ref)
        return 0;
    Node *node = tree_node(tree, ref);
    memset(node, 0, words * 8);
    for (int i = 0; i < count; i++)
        node->moves = bits_or(node->moves, bits_of(moves[i]));
    node->turn = state->turn;
    node->count = (uint8_t)count;
    untried_fill(node);
    memcpy(node_edges(tree, node).moves, moves, (size_t)count);
    memcpy(node_state(node), state, (size_t)tree->game->state_bytes);
    return ref;
}

void tree_plant(Tree *tree, const State *state)
{
    tree->used = FIRST_REF;
    tree->nodes = 0;
    tree->full = false;
    tree->root = tree_add(tree, state);
}

/* ---- moving the root ---- */

static NodeRef state_find(const Tree *tree, NodeRef ref, const State *state, int within)
{
    const Node *node = tree_node(tree, ref);
    if (!memcmp(node_state(node), state, (size_t)tree->game->state_bytes))
        return ref;
    Edges e = node_edges(tree, node);
    for (int i = 0; i < node->count && within > 0; i++) {
        NodeRef found = e.children[i] ? state_find(tree, e.children[i], state, within - 1) : 0;
        if (found)
            return found;
    }
    return 0;
}

/* Gives every node below ref, and itself, a mark in moved_to. */
static void nodes_mark(const Tree *tree, NodeRef ref)
{
    Node *node = tree_node(tree, ref);
    Edges e = node_edges(tree, node);
    node->moved_to = ref;
    for (int i = 0; i < node->count; i++)
        if (e.children[i])
            nodes_mark(tree, e.children[i]);
}

/* Says where each marked node goes, the lowest first; as none goes up, moving them in that order overwrites nothing.
 * Returns the words that will be in use. */
static uint64_t places_assign(Tree *tree)
{
    uint64_t to = FIRST_REF;
    tree->nodes = 0;
    for (uint64_t at = FIRST_REF; at < tree->used;) {
        Node *node = tree_node(tree, (NodeRef)at);
        uint64_t words = node_words(tree, node->count);
        if (node->moved_to) {
            node->moved_to = (NodeRef)to;
            to += words;
            tree->nodes++;
        }
        at += words;
    }
    return to;
}

static void nodes_slide(Tree *tree)
{
    for (uint64_t at = FIRST_REF; at < tree->used;) {
        Node *node = tree_node(tree, (NodeRef)at);
        uint64_t words = node_words(tree, node->count);
        NodeRef to = node->moved_to;
        if (to) {
            Edges e = node_edges(tree, node);
            for (int i = 0; i < node->count; i++)
                if (e.children[i])
                    e.children[i] = tree_node(tree, e.children[i])->moved_to;
            node->moved_to = 0;
            memmove(tree->words + to, node, words * 8);
        }
        at += words;
    }
}

bool tree_move_root(Tree *tree, const State *state, int within)
{
    NodeRef found = tree->root ? state_find(tree, tree->root, state, within) : 0;
    if (!found)
        return false;
    if (found == tree->root)
        return true;
    nodes_mark(tree, found);
    uint64_t used = places_assign(tree);
    nodes_slide(tree);
    tree->used = used;
    tree->root = FIRST_REF; /* the new root lies before all that is below it */
    tree->full = false;
    return true;
}
