#include "core/runtime/model_cache.hpp"

#include <sys/wait.h>
#include <unistd.h>

#include <atomic>
#include <filesystem>
#include <thread>

#include "core/graph/printer.hpp"
#include "core/support/digest.hpp"
#include "tests/unit/core/ir/ir_files.hpp"

namespace rondo::test::model_cache_test {
namespace {

const std::string kKey = "a key\nof two lines\n";

std::shared_ptr<Graph> graph() { return read_file(kFixture + ".xml"); }

// The fixture's graph in a cache of its own.
class ModelCacheTest : public ::testing::Test {
protected:
    void store() { cache.store(kKey, *graph()); }
    std::string entry() const { return bytes_of(cache.path_of(kKey)); }
    void set_entry(const std::string& bytes) { write_bytes(cache.path_of(kKey), bytes); }

    TemporaryFolder folder;
    ModelCache cache{folder / "made/here"};
};

// An entry with a digest that fits what was done to it.
std::string forged(std::string bytes) {
    bytes.resize(bytes.size() - sizeof(Digest));
    Digester digester;
    digester.add(bytes.data(), bytes.size());
    const Digest digest = digester.digest();
    return bytes.append(reinterpret_cast<const char*>(&digest), sizeof(digest));
}

TEST_F(ModelCacheTest, GivesBackWhatWasStored) {
    EXPECT_EQ(cache.load(kKey), nullptr);
    store();
    const auto loaded = cache.load(kKey);
    ASSERT_NE(loaded, nullptr);
    EXPECT_EQ(to_text(*loaded), to_text(*graph()));
    EXPECT_EQ(cache.load("another key"), nullptr);
}

TEST_F(ModelCacheTest, LeavesNothingButTheEntry) {
    store();
    store();
    const std::filesystem::directory_iterator files(folder / "made/here");
    EXPECT_EQ(std::distance(begin(files), end(files)), 1);
}

TEST_F(ModelCacheTest, RefusesEveryDamagedByte) {
    store();
    const std::string good = entry();
    for (std::size_t at = 0; at < good.size(); at += 1 + at / 64) {
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x10);
        set_entry(bad);
        EXPECT_EQ(cache.load(kKey), nullptr) << "byte " << at;
    }
    for (std::size_t at = good.size() - 96; at < good.size(); ++at) {  // the footer
        std::string bad = good;
        bad[at] = static_cast<char>(bad[at] ^ 0x80);
        set_entry(bad);
        EXPECT_EQ(cache.load(kKey), nullptr) << "byte " << at;
    }
}

TEST_F(ModelCacheTest, RefusesCutAndLongerEntries) {
    store();
    const std::string good = entry();
    for (const std::size_t size :
         {std::size_t{0}, std::size_t{1}, good.size() / 2, good.size() - 57, good.size() - 1}) {
        set_entry(good.substr(0, size));
        EXPECT_EQ(cache.load(kKey), nullptr) << size << " bytes";
    }
    set_entry(good + "x");
    EXPECT_EQ(cache.load(kKey), nullptr);
    set_entry(
        "no entry at all, but long enough to hold a header and a footer and some bytes more "
        "so that it is read as far as it goes");
    EXPECT_EQ(cache.load(kKey), nullptr);
}

TEST_F(ModelCacheTest, RefusesAnEntryOfAnotherKey) {
    store();
    std::filesystem::copy(cache.path_of(kKey), cache.path_of("other"));
    EXPECT_EQ(cache.load("other"), nullptr);
}

// Whoever can write a right digest still meets the IR reader's checks.
TEST_F(ModelCacheTest, RefusesForgedEntries) {
    store();
    const std::string good = entry();
    set_entry(forged(good));
    EXPECT_NE(cache.load(kKey), nullptr);
    for (const auto& [from, to] : std::vector<std::pair<std::string, std::string>>{
             {"<layers>", "<player>"},
             {"version=\"11\"", "version=\"77\""},
             {"element_type=\"f32\"", "element_type=\"f99\""}}) {
        set_entry(forged(replaced(good, from, to)));
        EXPECT_EQ(cache.load(kKey), nullptr) << to;
    }
    const auto at = good.find("size=\"");
    std::string far = good;
    far[at + 6] = '9';
    far[at + 7] = '9';
    set_entry(forged(far));
    EXPECT_EQ(cache.load(kKey), nullptr);
}

TEST_F(ModelCacheTest, RefusesPartsThatPassTheEnd) {
    store();
    const std::string good = entry();
    for (std::size_t part = 0; part < 4; ++part) {
        for (const std::uint64_t size :
             {std::uint64_t{0}, ~std::uint64_t{0}, ~std::uint64_t{0} / 2}) {
            std::string bad = good;
            const std::size_t at = good.size() - sizeof(Digest) - 8 * (4 - part);
            bad.replace(at, 8, reinterpret_cast<const char*>(&size), 8);
            set_entry(forged(bad));
            const bool empty_anyway = part == 3 && size == 0;  // there is no list of files
            EXPECT_EQ(cache.load(kKey) == nullptr, !empty_anyway) << "part " << part;
        }
    }
}

TEST_F(ModelCacheTest, FilesThatTheModelWasReadFromMustBeTheSame) {
    write_bytes(folder / "m.bin", "weights");
    const std::string file = folder / "m.bin";
    cache.store(kKey, *graph(), folder / "m.xml", {{file, map_file(file)}});
    EXPECT_NE(cache.load(kKey, folder / "m.xml"), nullptr);
    write_bytes(folder / "m.bin", "Weights");
    EXPECT_EQ(cache.load(kKey, folder / "m.xml"), nullptr);
    std::filesystem::remove(folder / "m.bin");
    EXPECT_EQ(cache.load(kKey, folder / "m.xml"), nullptr);
    std::filesystem::create_directories(folder / "moved");
    write_bytes(folder / "moved/m.bin", "weights");
    EXPECT_NE(cache.load(kKey, folder / "moved/m.xml"), nullptr);
    EXPECT_EQ(cache.load(kKey, folder / "elsewhere/m.xml"), nullptr);
}

// The model itself is read then, and refused or not.
TEST_F(ModelCacheTest, WhatExceedsALimitCountsAsMissing) {
    store();
    ModelLimits limits;
    limits.nodes = graph()->ordered_nodes().size();
    EXPECT_NE(cache.load(kKey, "", limits), nullptr);
    --limits.nodes;
    EXPECT_EQ(cache.load(kKey, "", limits), nullptr);
}

TEST_F(ModelCacheTest, WhatCantBeWrittenIsNoError) {
    std::filesystem::remove_all(folder / "made");
    EXPECT_NO_THROW(store());
    EXPECT_EQ(cache.load(kKey), nullptr);
}

TEST(ModelCache, RefusesFoldersThatCantBe) {
    const TemporaryFolder folder;
    write_bytes(folder / "file", "");
    expect_error<ModelError>(
        [&] { ModelCache{folder / "file/cache"}; },
        "property 'CACHE_DIR': the folder '" + (folder / "file/cache") + "' can't be made");
    expect_error<ModelError>([&] { ModelCache{folder / "file"}; }, "can't be made");
    if (::geteuid() == 0) return;  // root may write anywhere
    std::filesystem::create_directory(folder / "closed");
    std::filesystem::permissions(folder / "closed", std::filesystem::perms::owner_read);
    expect_error<ModelError>([&] { ModelCache{folder / "closed"}; }, "can't be written to");
}

// Stores and loads again and again; false where a load gives anything else than what was stored.
bool use(const ModelCache& cache, const Graph& stored, const std::string& text, int rounds) {
    for (int i = 0; i < rounds; ++i) {
        cache.store(kKey, stored);
        const auto loaded = cache.load(kKey);
        if (loaded == nullptr || to_text(*loaded) != text) return false;
    }
    return true;
}

TEST_F(ModelCacheTest, ProcessesShareTheFolder) {
    const auto stored = graph();
    const std::string text = to_text(*stored);
    std::vector<::pid_t> children;
    for (int i = 0; i < 3; ++i) {
        const ::pid_t child = ::fork();
        ASSERT_GE(child, 0);
        if (child == 0) ::_exit(use(cache, *stored, text, 40) ? 0 : 1);
        children.push_back(child);
    }
    EXPECT_TRUE(use(cache, *stored, text, 40));
    for (const ::pid_t child : children) {
        int status = -1;
        ::waitpid(child, &status, 0);
        EXPECT_EQ(status, 0);
    }
}

TEST_F(ModelCacheTest, ThreadsShareIt) {
    const auto stored = graph();
    const std::string text = to_text(*stored);
    std::vector<std::thread> threads;
    std::atomic<int> good{0};
    for (int i = 0; i < 4; ++i) {
        threads.emplace_back([&] { good += use(cache, *stored, text, 20) ? 1 : 0; });
    }
    for (auto& thread : threads) thread.join();
    EXPECT_EQ(good, 4);
}

}  // namespace
}  // namespace rondo::test::model_cache_test
