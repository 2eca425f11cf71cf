#include "cosm.h"

#include <algorithm>
#include <cstring>
#include <exception>
#include <string_view>
#include <unordered_map>
#include <vector>

#include <osmium/io/any_input.hpp>
#include <osmium/osm.hpp>

namespace {

void report(char *error, size_t size, const char *reason) {
    if (size == 0) return;
    std::strncpy(error, reason, size - 1);
    error[size - 1] = 0;
}

// Finds the tags that were asked for.
class Tags {
public:
    explicit Tags(const cosm_pass &pass) : required_(static_cast<int32_t>(pass.required)) {
        for (size_t i = 0; i < pass.key_count; ++i) {
            keys_.emplace(pass.keys[i], static_cast<int32_t>(i));
        }
    }

    // Whether a required one is among them.
    bool read(const osmium::TagList &list) {
        found_.clear();
        bool complete = required_ == 0;
        for (const osmium::Tag &tag : list) {
            const auto key = keys_.find(std::string_view{tag.key()});
            if (key == keys_.end()) continue;
            if (key->second < required_) complete = true;
            found_.push_back({key->second, tag.value()});
        }
        return complete;
    }

    const std::vector<cosm_tag> &found() const { return found_; }

private:
    std::unordered_map<std::string_view, int32_t> keys_;
    std::vector<cosm_tag> found_;
    int32_t required_;
};

void pass_restriction(const osmium::Relation &relation, const cosm_pass &pass) {
    const char *type = relation.tags().get_value_by_key("type", "");
    if (std::strcmp(type, "restriction") != 0) return;
    const char *kind = relation.tags().get_value_by_key("restriction:hgv");
    if (!kind) kind = relation.tags().get_value_by_key("restriction");
    if (!kind) return;
    cosm_restriction found{relation.id(), kind, relation.tags().get_value_by_key("except", ""), 0, 0, 0};
    int count = 0;
    for (const auto &member : relation.members()) {
        const bool is_way = member.type() == osmium::item_type::way;
        if (is_way && std::strcmp(member.role(), "from") == 0) {
            found.from = member.ref();
        } else if (is_way && std::strcmp(member.role(), "to") == 0) {
            found.to = member.ref();
        } else if (member.type() == osmium::item_type::node &&
                   std::strcmp(member.role(), "via") == 0) {
            found.via = member.ref();
        } else {
            continue;
        }
        ++count;
    }
    if (count == 3 && found.from != 0 && found.to != 0 && found.via != 0) {
        pass.restriction(pass.context, &found);
    }
}

cosm_object described(const osmium::OSMObject &object, const Tags &tags) {
    cosm_object result{};
    result.id = object.id();
    result.timestamp = object.timestamp().valid() ? object.timestamp().seconds_since_epoch() : 0;
    result.version = object.version();
    result.tags = tags.found().data();
    result.tag_count = tags.found().size();
    return result;
}

void read_ways(const char *path, const cosm_pass &pass) {
    osmium::io::Reader reader{
        path, osmium::osm_entity_bits::way | osmium::osm_entity_bits::relation};
    // A copy: header() gives a temporary, which the loop would not keep.
    const osmium::io::Header header = reader.header();
    for (const osmium::Box &box : header.boxes()) {
        if (box.valid()) {
            pass.box(pass.context, box.bottom_left().lon(), box.bottom_left().lat(),
                     box.top_right().lon(), box.top_right().lat());
        }
    }
    Tags tags{pass};
    std::vector<int64_t> nodes;
    while (osmium::memory::Buffer buffer = reader.read()) {
        for (const auto &item : buffer) {
            if (item.type() == osmium::item_type::relation) {
                pass_restriction(static_cast<const osmium::Relation &>(item), pass);
            } else if (item.type() == osmium::item_type::way) {
                const auto &way = static_cast<const osmium::Way &>(item);
                if (!way.visible() || !tags.read(way.tags())) continue;
                nodes.clear();
                for (const auto &node : way.nodes()) nodes.push_back(node.ref());
                cosm_object object = described(way, tags);
                object.nodes = nodes.data();
                object.node_count = nodes.size();
                pass.object(pass.context, &object);
            }
        }
        pass.progress(pass.context, reader.offset(), reader.file_size());
    }
    reader.close();
}

void read_nodes(const char *path, const cosm_pass &pass, const int64_t *ids, size_t count,
                int32_t *longitudes, int32_t *latitudes) {
    osmium::io::Reader reader{path, osmium::osm_entity_bits::node};
    Tags tags{pass};
    size_t cursor = 0;
    while (osmium::memory::Buffer buffer = reader.read()) {
        for (const auto &node : buffer.select<osmium::Node>()) {
            // Files are nearly always in order of ids: the search widens from the last place.
            const int64_t id = node.id();
            if (cursor > 0 && ids[cursor - 1] >= id) cursor = 0;
            size_t step = 1;
            size_t end = cursor;
            while (end < count && ids[end] < id) {
                cursor = end + 1;
                end += step;
                step *= 2;
            }
            end = std::min(end, count);
            cursor = std::lower_bound(ids + cursor, ids + end, id) - ids;
            if (cursor >= count || ids[cursor] != id) continue;
            if (!node.visible() || !node.location().valid()) continue;
            if (longitudes[cursor] != INT32_MAX || latitudes[cursor] != INT32_MAX) continue;
            longitudes[cursor] = node.location().x();
            latitudes[cursor] = node.location().y();
            if (tags.read(node.tags()) && !tags.found().empty()) {
                cosm_object object = described(node, tags);
                object.index = cursor;
                pass.object(pass.context, &object);
            }
        }
        pass.progress(pass.context, reader.offset(), reader.file_size());
    }
    reader.close();
}

}  // namespace

int cosm_read_ways(const char *path, const cosm_pass *pass, char *error, size_t error_size) {
    try {
        read_ways(path, *pass);
        return 0;
    } catch (const std::exception &exception) {
        report(error, error_size, exception.what());
    } catch (...) {
        report(error, error_size, "unknown error");
    }
    return -1;
}

int cosm_read_nodes(const char *path, const cosm_pass *pass, const int64_t *ids, size_t count,
                    int32_t *longitudes, int32_t *latitudes, char *error, size_t error_size) {
    try {
        read_nodes(path, *pass, ids, count, longitudes, latitudes);
        return 0;
    } catch (const std::exception &exception) {
        report(error, error_size, exception.what());
    } catch (...) {
        report(error, error_size, "unknown error");
    }
    return -1;
}
