//! Zig's std.Uri as an engine: base.resolve_inplace(reference, &buffer).
const std = @import("std");

const Request = struct { id: u64, base: []const u8, reference: []const u8 };

fn resolve(base: []const u8, reference: []const u8, buffer: *[]u8) !std.Uri {
    // The base is an object here, so with an unknown base the reference is parsed alone.
    if (base.len == 0) return std.Uri.parse(reference);
    return (try std.Uri.parse(base)).resolve_inplace(reference, buffer);
}

pub fn main() !void {
    var arena = std.heap.ArenaAllocator.init(std.heap.page_allocator);
    const in = std.io.getStdIn().reader();
    const out = std.io.getStdOut().writer();
    const hello = "{{\"protocol\":1,\"engine\":\"zig-uri\",\"version\":\"{s}\",\"ops\":[\"resolve\"]}}\n";
    try out.print(hello, .{@import("builtin").zig_version_string});
    while (true) {
        _ = arena.reset(.retain_capacity);
        const line = try in.readUntilDelimiterOrEofAlloc(arena.allocator(), '\n', 1 << 26) orelse return;
        const asked = try std.json.parseFromSliceLeaky(Request, arena.allocator(), line, .{ .ignore_unknown_fields = true });
        var buffer = try arena.allocator().alloc(u8, 4 * (asked.base.len + asked.reference.len) + 1024);
        if (resolve(asked.base, asked.reference, &buffer)) |url| {
            const text = try std.fmt.allocPrint(arena.allocator(), "{;@+/?#}", .{url});
            try out.print("{{\"id\":{d},\"bytes\":\"{s}\"}}\n", .{ asked.id, std.fmt.fmtSliceHexLower(text) });
        } else |err| {
            try out.print("{{\"id\":{d},\"failure\":\"{s}\"}}\n", .{ asked.id, @errorName(err) });
        }
    }
}
