;;; shim.el --- Emacs's url library as an engine: (url-expand-file-name REFERENCE BASE).  -*- lexical-binding: t -*-

(require 'json)
(require 'url-expand)

(defun shim-say (answer)
  "Write ANSWER as a line; this function flushes, which princ does not."
  (send-string-to-terminal (concat (json-encode answer) "\n")))

(defun shim-plain (text)
  "TEXT with what is not ASCII replaced; it matters to messages only."
  (replace-regexp-in-string "[^ -~]" "?" text))

(shim-say `((protocol . 1) (engine . "emacs-url") (version . ,emacs-version) (ops . ["resolve"])))
(let (line)
  (while (setq line (ignore-errors (read-from-minibuffer "")))
    (let* ((asked (json-read-from-string line))
           (answer (condition-case problem
                       ;; An unknown base is passed as the empty text.  An Emacs text may hold raw bytes, so bytes are sent.
                       (cons 'bytes (mapconcat (lambda (byte) (format "%02x" byte))
                                               (encode-coding-string (url-expand-file-name (alist-get 'reference asked) (alist-get 'base asked)) 'utf-8-unix)
                                               ""))
                     (error (cons 'failure (shim-plain (error-message-string problem)))))))
      (shim-say (list (cons 'id (alist-get 'id asked)) answer)))))
