// Mono's System.Uri as an engine: new Uri(new Uri(base), reference).AbsoluteUri. A JSON library would need further assemblies, so JSON is handled by hand.
using System;
using System.Collections.Generic;
using System.Globalization;
using System.IO;
using System.Text;

static class Shim
{
    static void Main()
    {
        var output = new StreamWriter(Console.OpenStandardOutput(), new ASCIIEncoding()) { AutoFlush = true, NewLine = "\n" };
        var input = new StreamReader(Console.OpenStandardInput(), new ASCIIEncoding());
        var mono = Type.GetType("Mono.Runtime").GetMethod("GetDisplayName", (System.Reflection.BindingFlags)40); // static and not public
        var version = ((string)mono.Invoke(null, null)).Split(' ')[0];
        output.WriteLine("{\"protocol\":1,\"engine\":\"System.Uri\",\"version\":" + Quote(version) + ",\"ops\":[\"resolve\",\"parse\"]}");
        string line;
        while ((line = input.ReadLine()) != null)
        {
            var asked = Read(line);
            var answer = asked["op"] == "parse" ? Parse(asked["url"]) : Resolve(asked["base"], asked["reference"]);
            output.WriteLine("{\"id\":" + asked["id"] + "," + answer + "}");
        }
    }

    static string Resolve(string known, string reference)
    {
        var stage = "base: ";
        try
        {
            var address = known == "" ? null : new Uri(known); // without a known base the reference is parsed alone
            stage = "";
            var text = (address == null ? new Uri(reference) : new Uri(address, reference)).AbsoluteUri;
            return Halved(text) ? "\"unrepresentable\":\"lone surrogate\"" : "\"url\":" + Quote(text);
        }
        catch (Exception error) when (error is FormatException || error is ArgumentException || error is InvalidOperationException || error is IndexOutOfRangeException)
        {
            return "\"failure\":" + Quote(stage + error.Message);
        }
    }

    static string Parse(string text)
    {
        try
        {
            var uri = new Uri(text);
            var parts = new[] {
                "scheme", uri.Scheme, "userinfo", uri.UserInfo, "host", uri.Host, "port", uri.Port == -1 ? null : uri.Port.ToString(CultureInfo.InvariantCulture),
                "path", uri.AbsolutePath, "query", Without('?', uri.Query), "fragment", Without('#', uri.Fragment), "authority", uri.Authority };
            var members = new List<string>();
            for (var i = 0; i < parts.Length; i += 2)
            {
                if (parts[i + 1] != null && Halved(parts[i + 1])) return "\"unrepresentable\":\"lone surrogate\"";
                members.Add(Quote(parts[i]) + ":" + (parts[i + 1] == null ? "null" : Quote(parts[i + 1])));
            }
            return "\"parts\":{" + string.Join(",", members) + "}";
        }
        catch (Exception error) when (error is FormatException || error is ArgumentException || error is InvalidOperationException || error is IndexOutOfRangeException)
        {
            return "\"failure\":" + Quote(error.Message);
        }
    }

    static string Without(char delimiter, string text)
    {
        return text.Length > 0 && text[0] == delimiter ? text.Substring(1) : text;
    }

    static bool Halved(string text)
    {
        for (var i = 0; i < text.Length; i++)
            if (i + 1 < text.Length && char.IsSurrogatePair(text, i)) i++;
            else if (char.IsSurrogate(text[i])) return true;
        return false;
    }

    // A request is one flat object, so its strings and numbers are keys and values in turn.
    static Dictionary<string, string> Read(string line)
    {
        var found = new List<string>();
        for (var i = 0; i < line.Length; i++)
        {
            var text = new StringBuilder();
            if (char.IsDigit(line[i])) { for (; char.IsDigit(line[i]); i++) text.Append(line[i]); i--; }
            else if (line[i] != '"') continue;
            else for (i++; line[i] != '"'; i++)
                if (line[i] != '\\') text.Append(line[i]);
                else if (line[++i] != 'u') text.Append("nrtbf".IndexOf(line[i]) < 0 ? line[i] : "\n\r\t\b\f"["nrtbf".IndexOf(line[i])]);
                else { text.Append((char)int.Parse(line.Substring(i + 1, 4), NumberStyles.HexNumber)); i += 4; }
            found.Add(text.ToString());
        }
        var asked = new Dictionary<string, string>();
        for (var i = 0; i < found.Count; i += 2) asked[found[i]] = found[i + 1];
        return asked;
    }

    static string Quote(string text)
    {
        var quoted = new StringBuilder("\"");
        foreach (var c in text) quoted.Append(c < ' ' || c > '~' || c == '"' || c == '\\' ? "\\u" + ((int)c).ToString("x4") : c.ToString());
        return quoted.Append('"').ToString();
    }
}
