// C++ libraries as engines, chosen by a macro. JSON is handled by hand: a request is one flat object of texts in ASCII and a number.
#include <cstdio>
#include <cstdlib>
#include <iostream>
#include <memory>
#include <string>

struct Failure { std::string message; };

static bool is_utf8(const std::string &text) {
    for (size_t i = 0; i < text.size(); i++) {
        const unsigned char c = text[i], next = i + 1 < text.size() ? text[i + 1] : 0;
        size_t more = c < 0x80 ? 0 : c >= 0xC2 && c < 0xE0 ? 1 : c >= 0xE0 && c < 0xF0 ? 2 : c >= 0xF0 && c < 0xF5 ? 3 : 4;
        if (more == 4 || (c == 0xE0 && next < 0xA0) || (c == 0xED && next > 0x9F) || (c == 0xF0 && next < 0x90) || (c == 0xF4 && next > 0x8F)) return false;
        for (; more; more--)
            if (++i >= text.size() || (text[i] & 0xC0) != 0x80) return false;
    }
    return true;
}

// The components as members of a JSON object.
struct Parts {
    std::string json;
    void none(const char *name) { json += (json.empty() ? "\"" : ",\"") + std::string(name) + "\":null"; }
    void add(const char *name, const std::string &value) {
        if (!is_utf8(value)) throw std::string("a component is not UTF-8");
        none(name);
        json.replace(json.size() - 4, 4, "\"");
        for (char c : value) {
            char escaped[7] = {c};
            if ((unsigned char)c < ' ' || c == '"' || c == '\\') std::snprintf(escaped, 7, "\\u%04x", c);
            json += escaped;
        }
        json += '"';
    }
    void port(long value, long absent) { value == absent ? none("port") : add("port", std::to_string(value)); }
};

#if defined(POCO) // Poco::URI(base).resolve(reference)
#include <Poco/Exception.h>
#include <Poco/URI.h>
static const char *name = "Poco::URI";
static std::string resolve(const std::string &base, const std::string &reference) {
    std::string stage = base.empty() ? "" : "base: ";
    try {
        // The base is an object here, so with an unknown base the reference is parsed alone.
        Poco::URI uri(base.empty() ? reference : base);
        stage = "";
        if (!base.empty()) uri.resolve(reference);
        return uri.toString();
    } catch (const Poco::Exception &error) {
        throw Failure{stage + error.displayText()};
    }
}
#define PARSES
static Parts parse(const std::string &text) {
    try {
        Poco::URI uri(text);
        Parts parts;
        parts.add("scheme", uri.getScheme());
        parts.add("userinfo", uri.getUserInfo());
        parts.add("host", uri.getHost());
        parts.port(uri.getPort(), 0);
        parts.add("path", uri.getPath());
        parts.add("query", uri.getQuery());
        parts.add("fragment", uri.getFragment());
        parts.add("authority", uri.getAuthority());
        return parts;
    } catch (const Poco::Exception &error) {
        throw Failure{error.displayText()};
    }
}
#elif defined(BOOST) // boost::urls::resolve(base, reference, result)
#include <boost/url.hpp>
static const char *name = "Boost.URL";
static std::string resolve(const std::string &base, const std::string &reference) {
    auto relative = boost::urls::parse_uri_reference(reference);
    if (base.empty()) { // without a known base the reference is parsed alone
        if (!relative) throw Failure{relative.error().message()};
        return std::string(relative->buffer());
    }
    auto start = boost::urls::parse_uri(base);
    if (!start) throw Failure{"base: " + start.error().message()};
    if (!relative) throw Failure{relative.error().message()};
    boost::urls::url result;
    auto done = boost::urls::resolve(*start, *relative, result);
    if (!done) throw Failure{done.error().message()};
    return std::string(result.buffer());
}
#define PARSES
static Parts parse(const std::string &text) {
    auto url = boost::urls::parse_uri_reference(text);
    if (!url) throw Failure{url.error().message()};
    Parts parts;
    parts.add("scheme", url->scheme());
    parts.add("user", url->user());
    parts.add("password", url->password());
    parts.add("host", url->host());
    parts.add("port", url->port());
    parts.add("path", url->path());
    parts.add("query", url->query());
    parts.add("fragment", url->fragment());
    parts.add("authority", std::string(url->encoded_authority()));
    return parts;
}
#elif defined(XERCES_URI) || defined(XERCES_URL) // XMLUri(&base, reference) or XMLURL(base, reference)
#include <xercesc/util/PlatformUtils.hpp>
#include <xercesc/util/TransService.hpp>
#include <xercesc/util/XMLException.hpp>
#include <xercesc/util/XMLUri.hpp>
#include <xercesc/util/XMLURL.hpp>
using namespace xercesc;
static std::string utf8(const XMLCh *text) {
    TranscodeToStr out(text, "UTF-8");
    return std::string(reinterpret_cast<const char *>(out.str()), out.length());
}
static void start_once() {
    static const bool started = (XMLPlatformUtils::Initialize(), true);
    (void)started;
}
static std::string resolve(const std::string &base, const std::string &reference) {
    start_once();
    if (base.find('\0') != std::string::npos || reference.find('\0') != std::string::npos) throw std::string("a text ends at NUL");
    TranscodeFromStr start((const XMLByte *)base.data(), base.size(), "UTF-8"), relative((const XMLByte *)reference.data(), reference.size(), "UTF-8");
    std::string stage = base.empty() ? "" : "base: ";
    try {
        // The base is an object here, so with an unknown base the reference is parsed alone.
#ifdef XERCES_URI
        std::unique_ptr<XMLUri> parsed(base.empty() ? nullptr : new XMLUri(start.str()));
        stage = "";
        return utf8((parsed ? XMLUri(parsed.get(), relative.str()) : XMLUri(relative.str())).getUriText());
#else
        std::unique_ptr<XMLURL> parsed(base.empty() ? nullptr : new XMLURL(start.str()));
        stage = "";
        return utf8((parsed ? XMLURL(*parsed, relative.str()) : XMLURL(relative.str())).getURLText());
#endif
    } catch (const XMLException &error) {
        throw Failure{stage + utf8(error.getMessage())};
    }
}
#ifdef XERCES_URI
static const char *name = "Xerces-C++ XMLUri";
#define PARSES
static Parts parse(const std::string &text) {
    start_once();
    if (text.find('\0') != std::string::npos) throw std::string("a text ends at NUL");
    TranscodeFromStr wide((const XMLByte *)text.data(), text.size(), "UTF-8");
    try {
        XMLUri uri(wide.str());
        Parts parts;
        auto add = [&](const char *name, const XMLCh *value) { value ? parts.add(name, utf8(value)) : parts.none(name); };
        add("scheme", uri.getScheme());
        add("userinfo", uri.getUserInfo());
        add("host", uri.getHost());
        parts.port(uri.getPort(), -1);
        add("path", uri.getPath());
        add("query", uri.getQueryString());
        add("fragment", uri.getFragment());
        add("authority", uri.getRegBasedAuthority());
        return parts;
    } catch (const XMLException &error) {
        throw Failure{utf8(error.getMessage())};
    }
}
#else
static const char *name = "Xerces-C++ XMLURL";
#endif
#elif defined(WX) // wxURI(reference).Resolve(wxURI(base))
#include <wx/uri.h>
static const char *name = "wxURI";
static std::string resolve(const std::string &base, const std::string &reference) {
    wxURI uri(wxString::FromUTF8(reference.data(), reference.size()));
    if (!base.empty()) uri.Resolve(wxURI(wxString::FromUTF8(base.data(), base.size())));
    return uri.BuildURI().utf8_string();
}
#elif defined(LITEHTML) // litehtml::resolve(base, reference)
#include <litehtml/url.h>
static const char *name = "litehtml";
static std::string resolve(const std::string &base, const std::string &reference) {
    return litehtml::resolve(litehtml::url(base), litehtml::url(reference)).str();
}
#define PARSES
static Parts parse(const std::string &text) {
    litehtml::url url(text);
    Parts parts;
    parts.add("scheme", url.scheme());
    parts.add("path", url.path());
    parts.add("query", url.query());
    parts.add("fragment", url.fragment());
    parts.add("authority", url.authority());
    return parts;
}
#elif defined(FFMPEG) // ff_make_absolute_url(result, size, base, reference)
extern "C" int ff_make_absolute_url(char *result, int size, const char *base, const char *reference);
#include <dlfcn.h>
static const char *name = "FFmpeg libavformat";
static std::string resolve(const std::string &base, const std::string &reference) {
    if (base.find('\0') != std::string::npos || reference.find('\0') != std::string::npos) throw std::string("a C string ends at NUL");
    static char result[1 << 16];
    if (ff_make_absolute_url(result, sizeof result, base.c_str(), reference.c_str()) < 0) throw Failure{"the result is negative"};
    return result;
}
#define PARSES
// The function is in the shared library, as its object of the archive needs all of FFmpeg. The path includes the query and the fragment.
static Parts parse(const std::string &url) {
    static const auto av_url_split = (void (*)(char *scheme, int scheme_size, char *userinfo, int userinfo_size, char *host, int host_size,
                                               int *port, char *path, int path_size, const char *url))
        dlsym(dlopen("libavformat.so", RTLD_LAZY), "av_url_split");
    if (!av_url_split) std::abort();
    if (url.find('\0') != std::string::npos) throw std::string("a C string ends at NUL");
    const int size = url.size() + 1;
    std::string scheme(size, 0), userinfo(size, 0), host(size, 0), path(size, 0);
    int port;
    av_url_split(&scheme[0], size, &userinfo[0], size, &host[0], size, &port, &path[0], size, url.c_str());
    Parts parts;
    parts.add("scheme", scheme.c_str());
    parts.add("userinfo", userinfo.c_str());
    parts.add("host", host.c_str());
    parts.port(port, -1);
    parts.add("path", path.c_str());
    return parts;
}
#elif defined(HTMLCXX) // htmlcxx::Uri(reference).absolute(htmlcxx::Uri(base)).unparse()
#include <htmlcxx/html/Uri.h>
static const char *name = "htmlcxx::Uri";
static std::string resolve(const std::string &base, const std::string &reference) {
    // The base is an object here, so with an unknown base the reference is parsed alone.
    htmlcxx::Uri uri(reference);
    return base.empty() ? uri.unparse() : uri.absolute(htmlcxx::Uri(base)).unparse();
}
#define PARSES
static Parts parse(const std::string &text) {
    htmlcxx::Uri uri(text);
    Parts parts;
    parts.add("scheme", uri.scheme());
    parts.add("user", uri.user());
    parts.add("password", uri.password());
    parts.add("host", uri.hostname());
    parts.port(uri.port(), 0);
    parts.add("path", uri.path());
    parts.add("query", uri.query());
    parts.add("fragment", uri.fragment());
    return parts;
}
#endif

#ifdef PARSES
static const char *ops = "\"resolve\",\"parse\"";
#else
static const char *ops = "\"resolve\"";
static Parts parse(const std::string &) { return {}; }
#endif

static void append(std::string &out, unsigned code) {
    if (code < 0x80) out += char(code);
    else if (code < 0x800) { out += char(0xC0 | code >> 6); out += char(0x80 | (code & 63)); }
    else if (code < 0x10000) { out += char(0xE0 | code >> 12); out += char(0x80 | (code >> 6 & 63)); out += char(0x80 | (code & 63)); }
    else { out += char(0xF0 | code >> 18); out += char(0x80 | (code >> 12 & 63)); out += char(0x80 | (code >> 6 & 63)); out += char(0x80 | (code & 63)); }
}

// Reads the text that follows the quotation mark at `at`, and moves `at` after the text.
static std::string text(const std::string &line, size_t &at) {
    std::string out;
    unsigned high = 0;
    for (at++; line[at] != '"'; at++) {
        if (line[at] != '\\') { out += line[at]; continue; }
        char escape = line[++at];
        if (escape == 'u') {
            unsigned unit = std::stoul(line.substr(at + 1, 4), nullptr, 16);
            at += 4;
            if (unit >= 0xD800 && unit < 0xDC00) high = unit;
            else if (high) { append(out, 0x10000 + ((high - 0xD800) << 10) + (unit - 0xDC00)); high = 0; }
            else append(out, unit);
        } else {
            const std::string from = "nrtbf", to = "\n\r\t\b\f";
            size_t found = from.find(escape);
            out += found == std::string::npos ? escape : to[found];
        }
    }
    at++;
    return out;
}

int main(int, char **arguments) {
    std::cout << "{\"protocol\":1,\"engine\":\"" << name << "\",\"version\":\"" << arguments[1] << "\",\"ops\":[" << ops << "]}" << std::endl;
    for (std::string line; std::getline(std::cin, line);) {
        std::string id, op, base, reference, url;
        for (size_t at = 0; at < line.size();) {
            if (line[at] != '"') { at++; continue; }
            std::string key = text(line, at);
            at = line.find_first_not_of(": ", at);
            if (line[at] == '"') {
                std::string value = text(line, at);
                if (key == "base") base = value;
                if (key == "reference") reference = value;
                if (key == "op") op = value;
                if (key == "url") url = value;
            } else if (key == "id") id = line.substr(at, line.find_first_of(",}", at) - at);
        }
        std::string kind = "bytes", value;
        try {
            if (op == "parse") {
                const Parts parts = parse(url);
                std::cout << "{\"id\":" << id << ",\"parts\":{" << parts.json << "}}" << std::endl;
                continue;
            }
            for (unsigned char byte : resolve(base, reference)) { char hex[3]; std::snprintf(hex, 3, "%02x", byte); value += hex; }
        } catch (const Failure &failure) {
            kind = "failure";
            for (char c : failure.message) value += c < ' ' || c > '~' || c == '"' || c == '\\' ? '?' : c;
        } catch (const std::string &reason) {
            kind = "unrepresentable";
            value = reason;
        } catch (const std::exception &error) {
            kind = "failure";
            for (const char *c = error.what(); *c; c++) value += *c < ' ' || *c > '~' || *c == '"' || *c == '\\' ? '?' : *c;
        }
        std::cout << "{\"id\":" << id << ",\"" << kind << "\":\"" << value << "\"}" << std::endl;
    }
}
