/* rtree_pack DATABASE FILL wal|off
 *
 * The floor of an import: no file is read and nothing is checked. The R*Tree is packed in memory
 * (sort-tile-recursive: Leutenegger, Lopez, Edgington, "STR: A Simple and Efficient Algorithm for
 * R-Tree Packing", 1997), and its node tables are written directly, FILL cells to a node, at most
 * 51. A node is its depth (in the root) and its number of cells, two bytes each, and then cells of
 * an id of eight bytes and four floats, all of them big-endian: sqlite3.c, "rtree.c". */
#include "load.h"

#define NODE_SIZE 1228
#define CELLS_AT_MOST 51
#define ROOT 1

struct cell {
    int64_t id;
    /* South, north, west, east, in the order of a node. */
    float sides[4];
};

static int by_latitude(const void *a, const void *b) {
    float x = ((const struct cell *)a)->sides[0], y = ((const struct cell *)b)->sides[0];
    return (x > y) - (x < y);
}

static int by_longitude(const void *a, const void *b) {
    float x = ((const struct cell *)a)->sides[2], y = ((const struct cell *)b)->sides[2];
    return (x > y) - (x < y);
}

/* Slices by latitude, and each of them by longitude. */
static void tile(struct cell *cells, size_t count, size_t fill) {
    size_t nodes = (count + fill - 1) / fill;
    size_t slices = (size_t)ceil(sqrt((double)nodes));
    size_t slice = (nodes + slices - 1) / slices * fill;
    qsort(cells, count, sizeof *cells, by_latitude);
    for (size_t i = 0; i < count; i += slice)
        qsort(cells + i, i + slice < count ? slice : count - i, sizeof *cells, by_longitude);
}

static unsigned char *put(unsigned char *bytes, uint64_t value, int size) {
    for (int i = size - 1; i >= 0; i--, value >>= 8) bytes[i] = (unsigned char)value;
    return bytes + size;
}

/* The number as a float, rounded down and rounded up. */
static float rounded_down(double value) {
    float rounded = (float)value;
    return rounded > value ? nextafterf(rounded, -INFINITY) : rounded;
}

static float rounded_up(double value) {
    float rounded = (float)value;
    return rounded < value ? nextafterf(rounded, INFINITY) : rounded;
}

struct tree {
    sqlite3_stmt *node, *parent;
    int64_t next_node;
    /* By id: written at the end, in order of id, which is several times as fast. */
    int64_t *leaf_of;
};

/* Writes one node and the location of its children; returns the cell for it in its parent. */
static struct cell write_node(struct tree *tree, const struct cell *cells, size_t count, int depth,
                              int is_root) {
    unsigned char bytes[NODE_SIZE] = {0};
    struct cell whole = cells[0];
    whole.id = is_root ? ROOT : tree->next_node++;
    unsigned char *end = put(put(bytes, is_root ? (uint64_t)depth : 0, 2), count, 2);
    for (size_t i = 0; i < count; i++) {
        end = put(end, (uint64_t)cells[i].id, 8);
        for (int k = 0; k < 4; k++) {
            uint32_t bits;
            float side = cells[i].sides[k];
            memcpy(&bits, &side, sizeof bits);
            end = put(end, bits, 4);
            whole.sides[k] = k % 2 ? fmaxf(whole.sides[k], side) : fminf(whole.sides[k], side);
        }
        if (depth == 0) {
            tree->leaf_of[cells[i].id] = whole.id;
            continue;
        }
        sqlite3_bind_int64(tree->parent, 1, cells[i].id);
        sqlite3_bind_int64(tree->parent, 2, whole.id);
        step(tree->parent);
    }
    sqlite3_bind_int64(tree->node, 1, whole.id);
    sqlite3_bind_blob(tree->node, 2, bytes, NODE_SIZE, SQLITE_STATIC);
    step(tree->node);
    return whole;
}

static void write_tree(struct tree *tree, struct cell *cells, size_t count, size_t fill) {
    for (int depth = 0;; depth++) {
        if (count <= fill) {
            write_node(tree, cells, count, depth, 1);
            return;
        }
        tile(cells, count, fill);
        size_t nodes = 0;
        for (size_t i = 0; i < count; i += fill)
            cells[nodes++] =
                write_node(tree, cells + i, i + fill < count ? fill : count - i, depth, 0);
        count = nodes;
    }
}

static void write_leaves(sqlite3 *database, const int64_t *leaf_of, size_t count) {
    sqlite3_stmt *insert = prepare(database, "insert into rt_rowid(rowid, nodeno) values(?, ?)");
    for (size_t id = 1; id <= count; id++) {
        sqlite3_bind_int64(insert, 1, (int64_t)id);
        sqlite3_bind_int64(insert, 2, leaf_of[id]);
        step(insert);
    }
    sqlite3_finalize(insert);
}

int main(int count, char **words) {
    size_t fill = count < 4 ? 0 : (size_t)atoi(words[2]);
    if (fill < 2 || fill > CELLS_AT_MOST)
        return fprintf(stderr, "usage: rtree_pack DATABASE FILL wal|off\n"), 2;
    int in_wal = words[3][0] == 'w';
    size_t fences;
    struct circle *circles = read_circles(&fences);
    double begin = now();
    sqlite3 *database = create(words[1], in_wal);
    insert_rows(database, circles, fences);
    struct cell *cells = malloc(fences * sizeof *cells);
    if (!cells) give_up("cells");
    for (size_t i = 0; i < fences; i++) {
        struct circle circle = circles[i];
        struct place half = half_box(circle);
        cells[i] = (struct cell){
            (int64_t)i + 1,
            {rounded_down(circle.lat - half.lat), rounded_up(circle.lat + half.lat),
             rounded_down(circle.lon - half.lon), rounded_up(circle.lon + half.lon)}};
    }
    execute(database, "delete from rt_node");
    struct tree tree = {
        .node = prepare(database, "insert into rt_node values(?, ?)"),
        .parent = prepare(database, "insert into rt_parent values(?, ?)"),
        .next_node = ROOT + 1,
        .leaf_of = malloc((fences + 1) * sizeof *tree.leaf_of),
    };
    if (!tree.leaf_of) give_up("leaves");
    write_tree(&tree, cells, fences, fill);
    write_leaves(database, tree.leaf_of, fences);
    sqlite3_finalize(tree.node);
    sqlite3_finalize(tree.parent);
    commit(database, in_wal);
    printf("load_s=%.3f\ncpu_s=%.3f\n", now() - begin, processor_time());
    return 0;
}
