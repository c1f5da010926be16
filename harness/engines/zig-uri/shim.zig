//! Zig's std.Uri as an engine: base.resolve_inplace(reference, &buffer).
const std = @import("std");

const Request = struct { id: u64, op: []const u8, base: []const u8 = "", reference: []const u8 = "", url: []const u8 = "" };
const Parts = struct {
    scheme: []const u8,
    user: ?[]const u8,
    password: ?[]const u8,
    host: ?[]const u8,
    port: ?[]const u8,
    path: []const u8,
    query: ?[]const u8,
    fragment: ?[]const u8,
};

fn resolve(base: []const u8, reference: []const u8, buffer: *[]u8) !std.Uri {
    // The base is an object here, so with an unknown base the reference is parsed alone.
    if (base.len == 0) return std.Uri.parse(reference);
    return (try std.Uri.parse(base)).resolve_inplace(reference, buffer);
}

fn parse(text: []const u8, allocator: std.mem.Allocator) !Parts {
    const uri = try std.Uri.parse(text);
    return .{
        .scheme = uri.scheme,
        .user = stated(uri.user),
        .password = stated(uri.password),
        .host = stated(uri.host),
        .port = if (uri.port) |port| try std.fmt.allocPrint(allocator, "{d}", .{port}) else null,
        .path = stated(uri.path).?,
        .query = stated(uri.query),
        .fragment = stated(uri.fragment),
    };
}

fn stated(component: ?std.Uri.Component) ?[]const u8 {
    return switch (component orelse return null) {
        .raw, .percent_encoded => |text| text,
    };
}

pub fn main() !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    const in = std.io.getStdIn().reader();
    const out = std.io.getStdOut().writer();
    const hello = "{{\"protocol\":1,\"engine\":\"zig-uri\",\"version\":\"{s}\",\"ops\":[\"resolve\",\"parse\"]}}\n";
    try out.print(hello, .{@import("builtin").zig_version_string});
    while (true) {
        _ = arena.reset(.retain_capacity);
        const line = try in.readUntilDelimiterOrEofAlloc(arena.allocator(), '\n', 1 << 26) orelse return;
        const asked = try std.json.parseFromSliceLeaky(Request, arena.allocator(), line, .{ .ignore_unknown_fields = true });
        if (std.mem.eql(u8, asked.op, "parse")) {
            if (parse(asked.url, arena.allocator())) |parts| {
                const json = try std.json.stringifyAlloc(arena.allocator(), parts, .{});
                try out.print("{{\"id\":{d},\"parts\":{s}}}\n", .{ asked.id, json });
            } else |err| {
                try out.print("{{\"id\":{d},\"failure\":\"{s}\"}}\n", .{ asked.id, @errorName(err) });
            }
            continue;
        }
        var buffer = try arena.allocator().alloc(u8, 4 * (asked.base.len + asked.reference.len) + 1024);
        if (resolve(asked.base, asked.reference, &buffer)) |url| {
            const text = try std.fmt.allocPrint(arena.allocator(), "{;@+/?#}", .{url});
            try out.print("{{\"id\":{d},\"bytes\":\"{s}\"}}\n", .{ asked.id, std.fmt.fmtSliceHexLower(text) });
        } else |err| {
            try out.print("{{\"id\":{d},\"failure\":\"{s}\"}}\n", .{ asked.id, @errorName(err) });
        }
    }
}
