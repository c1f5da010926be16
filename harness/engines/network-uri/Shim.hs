-- Haskell's network-uri as an engine: reference `relativeTo` base. JSON is handled by hand: a request is one flat object.
module Main (main) where

import Control.Monad (unless)
import Data.Bits (shiftR, (.&.), (.|.))
import Data.Char (chr, ord)
import Data.List (intercalate)
import Network.URI (URI (..), URIAuth (..), parseURI, parseURIReference, relativeTo, uriToString)
import Numeric (readHex, showHex)
import System.Environment (getArgs)
import System.IO

resolve :: String -> String -> Either String String
resolve base reference = do
  relative <- maybe (Left "parseURIReference returned Nothing") Right (parseURIReference reference)
  if null base -- the base is an object here, so with an unknown base the reference is parsed alone
    then Right (written relative)
    else do
      start <- maybe (Left "base: parseURI returned Nothing") Right (parseURI base)
      Right (written (relative `relativeTo` start))
  where written uri = uriToString id uri ""

-- The accessors include the delimiters.
parse :: String -> Either String [(String, Maybe String)]
parse url = do
  uri <- maybe (Left "parseURIReference returned Nothing") Right (parseURIReference url)
  let server field = field <$> uriAuthority uri
  Right
    [ ("scheme", Just (without last init ':' (uriScheme uri))),
      ("userinfo", without last init '@' <$> server uriUserInfo),
      ("host", server uriRegName),
      ("port", without head tail ':' <$> server uriPort),
      ("path", Just (uriPath uri)),
      ("query", Just (without head tail '?' (uriQuery uri))),
      ("fragment", Just (without head tail '#' (uriFragment uri)))
    ]
  where without end rest delimiter part = if not (null part) && end part == delimiter then rest part else part

-- The text after a quotation mark, and what follows it.
text :: String -> (String, String)
text ('"' : rest) = ("", rest)
text ('\\' : 'u' : a : b : c : d : rest)
  | unit >= 0xD800, unit < 0xDC00, '\\' : 'u' : e : f : g : h : more <- rest =
      add (chr (0x10000 + (unit - 0xD800) * 0x400 + hex [e, f, g, h] - 0xDC00)) (text more)
  | otherwise = add (chr unit) (text rest)
  where unit = hex [a, b, c, d]
text ('\\' : c : rest) = add (maybe c id (lookup c (zip "nrtbf" "\n\r\t\b\f"))) (text rest)
text (c : rest) = add c (text rest)
text "" = ("", "")

add :: Char -> (String, String) -> (String, String)
add c (found, rest) = (c : found, rest)

hex :: String -> Int
hex = fst . head . readHex

fields :: String -> [(String, String)]
fields line = case dropWhile (/= '"') line of
  '"' : rest ->
    let (key, after) = text rest
     in case dropWhile (`elem` ": ") after of
          '"' : more -> let (value, left) = text more in (key, value) : fields left
          '[' : more -> fields more
          more -> let (value, left) = span (`notElem` ",}") more in (key, value) : fields left
  _ -> []

bytes :: Char -> [Int]
bytes c
  | n < 0x80 = [n]
  | n < 0x800 = [0xC0 .|. shiftR n 6, low 0]
  | n < 0x10000 = [0xE0 .|. shiftR n 12, low 6, low 0]
  | otherwise = [0xF0 .|. shiftR n 18, low 12, low 6, low 0]
  where
    n = ord c
    low by = 0x80 .|. (shiftR n by .&. 63)

main :: IO ()
main = do
  [version] <- getArgs
  hSetBuffering stdout LineBuffering
  putStrLn ("{\"protocol\":1,\"engine\":\"network-uri\",\"version\":\"" ++ version ++ "\",\"ops\":[\"resolve\",\"parse\"]}")
  loop
  where
    loop = do
      end <- isEOF
      unless end (getLine >>= putStrLn . answer . fields >> loop)
    answer asked = "{\"id\":" ++ value "id" asked ++ "," ++ answered asked ++ "}"
    answered asked
      | value "op" asked == "parse" = either failed parts (parse (value "url" asked))
      | otherwise = outcome (resolve (value "base" asked) (value "reference" asked))
    -- The library accepts only ASCII without quotation marks and backslashes.
    parts found = "\"parts\":{" ++ intercalate "," ["\"" ++ name ++ "\":" ++ maybe "null" show part | (name, part) <- found] ++ "}"
    failed message = "\"failure\":\"" ++ message ++ "\""
    outcome (Left message) = failed message
    outcome (Right url) = "\"bytes\":\"" ++ concatMap two (concatMap bytes url) ++ "\""
    two byte = (if byte < 16 then "0" else "") ++ showHex byte ""
    value key asked = maybe "" id (lookup key asked)
