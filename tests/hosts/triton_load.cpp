// Live sequences of a Triton server over HTTP: each sends a step whenever the period has passed, on
// a connection of its own. It prints how late the answers came. In C++, so that the client leaves
// the cores to the server.
//
// Usage: triton_load PORT SECONDS PERIOD < requests. The requests are HTTP, two a sequence: one
// with START and one without. Each has its length in front, as 4 bytes.
#include <arpa/inet.h>
#include <netinet/in.h>
#include <netinet/tcp.h>
#include <sys/epoll.h>
#include <sys/resource.h>
#include <sys/socket.h>
#include <unistd.h>

#include <algorithm>
#include <array>
#include <cerrno>
#include <chrono>
#include <cmath>
#include <cstdint>
#include <cstdio>
#include <cstdlib>
#include <cstring>
#include <deque>
#include <exception>
#include <functional>
#include <iostream>
#include <queue>
#include <stdexcept>
#include <string>
#include <utility>
#include <vector>

namespace {

using Clock = std::chrono::steady_clock;
using Seconds = std::chrono::duration<double>;

// A client that has waited for so long begins again: Triton's HTTP server loses answers.
constexpr Seconds kPatience{0.5};
constexpr Seconds kGrace{2};   // for the last answers
constexpr double kNever = 10;  // in seconds: how late a chunk is that has no answer

[[noreturn]] void fail(const std::string& what) {
    throw std::runtime_error(what + ": " + std::strerror(errno));
}

Seconds now() { return Clock::now().time_since_epoch(); }

// One HTTP connection, for requests one after another.
class Connection {
public:
    Connection() = default;
    explicit Connection(std::uint16_t port) : file_(socket(AF_INET, SOCK_STREAM, 0)) {
        sockaddr_in address{};
        address.sin_family = AF_INET;
        address.sin_port = htons(port);
        address.sin_addr.s_addr = htonl(INADDR_LOOPBACK);
        const auto* generic = reinterpret_cast<const sockaddr*>(&address);
        if (file_ < 0 || connect(file_, generic, sizeof address) != 0) fail("connect");
        const int yes = 1;
        setsockopt(file_, IPPROTO_TCP, TCP_NODELAY, &yes, sizeof yes);
    }
    Connection(Connection&& other) noexcept
        : file_(std::exchange(other.file_, -1)), buffer_(std::move(other.buffer_)) {}
    Connection& operator=(Connection&& other) noexcept {
        std::swap(file_, other.file_);
        std::swap(buffer_, other.buffer_);
        return *this;
    }
    ~Connection() {
        if (file_ >= 0) close(file_);
    }

    int file() const { return file_; }

    void send(const std::string& request) {
        for (std::size_t at = 0; at < request.size();) {
            const auto sent = ::send(file_, request.data() + at, request.size() - at, MSG_NOSIGNAL);
            if (sent < 0) fail("send");
            at += static_cast<std::size_t>(sent);
        }
    }

    /// Takes in what has come. True if that is the whole answer; an error of the server throws.
    bool receive() {
        std::array<char, 4096> bytes;
        const auto count = recv(file_, bytes.data(), bytes.size(), 0);
        if (count <= 0) fail("the server has closed the connection");
        buffer_.append(bytes.data(), static_cast<std::size_t>(count));
        const auto end = buffer_.find("\r\n\r\n");
        if (end == std::string::npos || buffer_.size() < end + 4 + body_size()) return false;
        if (buffer_.compare(0, 12, "HTTP/1.1 200") != 0) throw std::runtime_error(buffer_);
        buffer_.clear();
        return true;
    }

private:
    std::size_t body_size() const {
        static const std::string kName = "\r\nContent-Length:";
        const auto at = buffer_.find(kName);
        if (at == std::string::npos) throw std::runtime_error(buffer_);
        return std::strtoul(buffer_.c_str() + at + kName.size(), nullptr, 10);
    }

    int file_ = -1;
    std::string buffer_;
};

struct Sequence {
    std::string start;
    std::string step;
    Connection connection{};
    bool must_start = true;
    bool waits = false;
    Seconds asked{};             ///< when the chunk was due whose answer it waits for
    std::deque<Seconds> late{};  ///< when the chunks were due that wait for that answer
};

class Load {
public:
    Load(std::uint16_t port, std::vector<Sequence> sequences)
        : port_(port), sequences_(std::move(sequences)), poll_(epoll_create1(0)) {}

    /// How late each answer was, in order.
    std::vector<double> run(Seconds length, Seconds period);

private:
    // The connection that was there before is closed, which ends its watching.
    void open_connection(std::size_t number) {
        sequences_[number].connection = Connection(port_);
        epoll_event event{};
        event.events = EPOLLIN;
        event.data.u64 = number;
        const int file = sequences_[number].connection.file();
        if (epoll_ctl(poll_, EPOLL_CTL_ADD, file, &event) != 0) fail("epoll_ctl");
    }

    void open_all();
    void ask(Sequence& sequence, Seconds due);
    void take_answers(Seconds pause);
    void give_up(Sequence& sequence);
    void give_up_lost();

    std::uint16_t port_;
    std::vector<Sequence> sequences_;
    int poll_;
    std::size_t waiting_ = 0;
    Seconds looked_at_{};
    std::vector<double> delays_;
};

// Each connection has a request before the next is made: Triton gives a new one to its first thread
// that has nothing to do, and loses answers if one thread has most of them.
void Load::open_all() {
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
        open_connection(i);
        ask(sequences_[i], now());
    }
    while (waiting_ > 0) {
        give_up_lost();
        take_answers(Seconds(0.1));
    }
    delays_.clear();
}

void Load::ask(Sequence& sequence, Seconds due) {
    sequence.connection.send(sequence.must_start ? sequence.start : sequence.step);
    sequence.must_start = false;
    sequence.waits = true;
    sequence.asked = due;
    ++waiting_;
}

// epoll counts milliseconds; up, so that chunks that are due within one are sent together.
void Load::take_answers(Seconds pause) {
    std::array<epoll_event, 256> events;
    const int timeout = static_cast<int>(std::ceil(std::max(0.0, pause.count()) * 1e3));
    const int count = epoll_wait(poll_, events.data(), static_cast<int>(events.size()), timeout);
    for (int i = 0; i < count; ++i) {
        Sequence& sequence = sequences_[events[static_cast<std::size_t>(i)].data.u64];
        if (!sequence.connection.receive()) continue;
        delays_.push_back((now() - sequence.asked).count());
        sequence.waits = false;
        --waiting_;
        if (sequence.late.empty()) continue;
        const Seconds due = sequence.late.front();
        sequence.late.pop_front();
        ask(sequence, due);
    }
}

void Load::give_up(Sequence& sequence) {
    delays_.insert(delays_.end(), 1 + sequence.late.size(), kNever);
    sequence.late.clear();
    sequence.waits = false;
    sequence.must_start = true;
    --waiting_;
}

void Load::give_up_lost() {
    const Seconds time = now();
    if (time < looked_at_ + kPatience / 10) return;
    looked_at_ = time;
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
        Sequence& sequence = sequences_[i];
        if (!sequence.waits || sequence.asked > time - kPatience) continue;
        give_up(sequence);
        open_connection(i);
    }
}

std::vector<double> Load::run(Seconds length, Seconds period) {
    open_all();
    using Due = std::pair<Seconds, std::size_t>;
    std::priority_queue<Due, std::vector<Due>, std::greater<>> due;
    const Seconds begin = now() + Seconds(0.05);
    const Seconds end = begin + length;
    const double count = static_cast<double>(sequences_.size());
    for (std::size_t i = 0; i < sequences_.size(); ++i) {
        due.emplace(begin + period * (static_cast<double>(i) / count), i);
    }
    for (Seconds time = now(); time < end + kGrace && (time < end || waiting_ > 0); time = now()) {
        while (due.top().first <= std::min(time, end)) {
            const auto [at, number] = due.top();
            due.pop();
            due.emplace(at + period, number);
            Sequence& sequence = sequences_[number];
            if (sequence.waits) {
                sequence.late.push_back(at);
            } else {
                ask(sequence, at);
            }
        }
        give_up_lost();
        take_answers(time < end ? due.top().first - now() : Seconds(0.1));
    }
    for (Sequence& sequence : sequences_) {
        if (sequence.waits) give_up(sequence);
    }
    std::sort(delays_.begin(), delays_.end());
    return std::move(delays_);
}

// False at the end of the input.
bool read_request(std::string& request) {
    std::uint32_t size = 0;
    if (!std::cin.read(reinterpret_cast<char*>(&size), sizeof size)) return false;
    request.resize(size);
    return static_cast<bool>(std::cin.read(request.data(), size));
}

double processor_seconds() {
    rusage used{};
    getrusage(RUSAGE_SELF, &used);
    const auto seconds = [](const timeval& time) {
        return static_cast<double>(time.tv_sec) + static_cast<double>(time.tv_usec) * 1e-6;
    };
    return seconds(used.ru_utime) + seconds(used.ru_stime);
}

std::vector<Sequence> read_sequences() {
    std::vector<Sequence> sequences;
    std::string start;
    for (std::string step; read_request(start) && read_request(step);) {
        sequences.push_back({start, step});
    }
    if (sequences.empty()) throw std::runtime_error("no requests");
    return sequences;
}

void run(std::uint16_t port, double length, double period) {
    std::vector<Sequence> sequences = read_sequences();
    const double used = processor_seconds();
    const auto delays = Load(port, std::move(sequences)).run(Seconds(length), Seconds(period));
    const auto quantile = [&](std::size_t percent) {
        return delays[std::min(delays.size() - 1, delays.size() * percent / 100)];
    };
    std::printf("{\"chunks\": %zu, \"p50\": %.6f, \"p99\": %.6f, \"cores\": %.3f}\n", delays.size(),
                quantile(50), quantile(99), (processor_seconds() - used) / length);
}

}  // namespace

int main(int count, char** arguments) {
    if (count != 4) {
        std::fputs("usage: triton_load PORT SECONDS PERIOD < requests\n", stderr);
        return 1;
    }
    try {
        run(static_cast<std::uint16_t>(std::atoi(arguments[1])), std::atof(arguments[2]),
            std::atof(arguments[3]));
    } catch (const std::exception& error) {
        std::fprintf(stderr, "triton_load: %s\n", error.what());
        return 1;
    }
}
