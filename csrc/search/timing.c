/* When to stop: the budget, and what the literature has found to do better than spending it evenly. EARLY stops when the
 * second most visited move cannot catch up any more (Huang, Coulom, Lin 2010; Baier and Winands 2012); UNST searches on
 * while the most visited move is not the one of highest mean; CLOSE while the two most visited are close; BEHIND when the
 * best mean is low. */
#include "search.h"

typedef struct {
    int most, second, best; /* by visits, and by mean; -1 where there is none */
} Leaders;

static Leaders leaders_find(const nogo_search_report *r)
{
    Leaders l = {-1, -1, -1};
    for (int i = 0; i < r->count; i++) {
        if (r->proven[i] == NOGO_CUT)
            continue;
        if (l.most < 0 || r->visits[i] > r->visits[l.most]) {
            l.second = l.most;
            l.most = i;
        } else if (l.second < 0 || r->visits[i] > r->visits[l.second]) {
            l.second = i;
        }
        if (r->visits[i] && (l.best < 0 || r->means[i] > r->means[l.best]))
            l.best = i;
    }
    return l;
}

void timing_begin(Search *search)
{
    search->began = search_clock();
    search->span = search->budget.seconds;
    search->limit = search->budget.playouts;
    search->deadline = search->span > 0 ? search->began + search->span : 0;
    search->extensions = search->unstable = search->closed = search->behind = 0;
    search->spent = 0;
}

uint64_t timing_playouts(const Search *search)
{
    uint64_t sum = 0;
    for (int i = 0; i < search->worker_count; i++)
        sum += search->workers[i].playouts;
    return sum;
}

static double part_spent(const Search *search)
{
    if (search->deadline > 0)
        return (search_clock() - search->began) / (search->deadline - search->began);
    return (double)timing_playouts(search) / (double)search->limit;
}

bool timing_over(const Search *search)
{
    return search->deadline > 0 ? search_clock() >= search->deadline : timing_playouts(search) >= search->limit;
}

static bool decided_early(const Search *search, const nogo_search_report *r)
{
    double spent = part_spent(search), made = (double)timing_playouts(search);
    Leaders l = leaders_find(r);
    if (spent < 0.5 || l.most < 0)
        return false;
    double expected = spent < 1 ? made / spent * (1 - spent) : 0;
    double ahead = (double)(r->visits[l.most] - (l.second < 0 ? 0 : r->visits[l.second]));
    return expected > 0 && ahead > search->options.early * expected;
}

static void extend(Search *search, double fraction)
{
    search->extensions++;
    if (search->deadline > 0)
        search->deadline += fraction * search->span;
    else
        search->limit += (uint64_t)(fraction * (double)search->budget.playouts + 0.5);
}

/* At the end of the budget: searches on where one of the rules says so. */
static bool goes_on(Search *search, const nogo_search_report *r)
{
    const Options *o = &search->options;
    Leaders l = leaders_find(r);
    if (l.most < 0)
        return false;
    if (o->unst > 0 && search->unstable < o->unst_limit && l.most != l.best) {
        search->unstable++;
        extend(search, o->unst);
    } else if (o->close > 0 && !search->closed && l.second >= 0 &&
               (double)r->visits[l.second] > o->close_ratio * (double)r->visits[l.most]) {
        search->closed = 1;
        extend(search, o->close);
    } else if (o->behind > 0 && !search->behind && r->means[l.best] < o->behind_mean) {
        search->behind = 1;
        extend(search, o->behind);
    } else {
        return false;
    }
    return true;
}

static bool rules_apply(const Options *o) { return o->unst > 0 || o->close > 0 || o->behind > 0; }

/* Between two rounds. */
void timing_check(Search *search)
{
    nogo_search_report report;
    bool over = timing_over(search);
    for (int i = 0; i < search->tree_count && search->stopped == NOGO_RUNNING; i++)
        if (tree_node(&search->trees[i], search->trees[i].root)->proven != NOGO_OPEN)
            search->stopped = NOGO_STOP_PROVEN;
    if (search->stopped != NOGO_RUNNING)
        return;
    if (over ? rules_apply(&search->options) : search->options.early > 0)
        root_sum(search, &report);
    if (!over) {
        if (search->options.early > 0 && decided_early(search, &report))
            search->stopped = NOGO_STOP_EARLY;
    } else if (!rules_apply(&search->options) || !goes_on(search, &report)) {
        search->stopped = search->deadline > 0 ? NOGO_STOP_TIME : NOGO_STOP_PLAYOUTS;
    }
}
