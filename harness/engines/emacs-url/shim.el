;;; shim.el --- Emacs's url library as an engine: (url-expand-file-name REFERENCE BASE).  -*- lexical-binding: t -*-

(require 'json)
(require 'url-expand)
(require 'url-parse)

(defun shim-say (answer)
  "Write ANSWER as a line; this function flushes, which princ does not."
  (send-string-to-terminal (concat (shim-ascii (json-encode answer)) "\n")))

(defun shim-plain (text)
  "TEXT with what is not ASCII replaced; it matters to messages only."
  (replace-regexp-in-string "[^ -~]" "?" text))

(defun shim-ascii (json)
  "JSON with what is not ASCII escaped in UTF-16."
  (replace-regexp-in-string
   "[^ -~]" (lambda (c) (replace-regexp-in-string "...." "\\\\u\\&" (mapconcat (lambda (byte) (format "%02x" byte)) (encode-coding-string c 'utf-16be) "")))
   json t t))

(defun shim-parse (text)
  "The components of TEXT."
  (let ((url (url-generic-parse-url text)))
    (cons 'parts
          `((scheme . ,(url-type url)) (user . ,(url-user url)) (password . ,(url-password url)) (host . ,(url-host url))
            (port . ,(and (url-port url) (format "%s" (url-port url))))
            (path . ,(car (url-path-and-query url))) (query . ,(cdr (url-path-and-query url))) (fragment . ,(url-target url))))))

(shim-say `((protocol . 1) (engine . "emacs-url") (version . ,emacs-version) (ops . ["resolve" "parse"])))
(let (line)
  (while (setq line (ignore-errors (read-from-minibuffer "")))
    (let* ((asked (json-read-from-string line))
           (answer (condition-case problem
                       (if (equal (alist-get 'op asked) "parse")
                           (shim-parse (alist-get 'url asked))
                         ;; An unknown base is passed as the empty text.  An Emacs text may hold raw bytes, so bytes are sent.
                         (cons 'bytes (mapconcat (lambda (byte) (format "%02x" byte))
                                                 (encode-coding-string (url-expand-file-name (alist-get 'reference asked) (alist-get 'base asked)) 'utf-8-unix)
                                                 "")))
                     (error (cons 'failure (shim-plain (error-message-string problem)))))))
      (shim-say (list (cons 'id (alist-get 'id asked)) answer)))))
