;;; Gauche's rfc.uri as an engine: (uri-merge base reference).
(use rfc.uri)
(use rfc.json)
(use gauche.uvector)

(define (say answer)
  (print (regexp-replace-all #/[^ -~]/ (construct-json-string answer)
                             (^m (format "\\u~4,'0x" (char->integer (string-ref (m 0) 0))))))
  (flush))
(define (hex text)
  (apply string-append (map (^b (format "~2,'0x" b)) (u8vector->list (string->u8vector text)))))

(say `(("protocol" . 1) ("engine" . "gauche") ("version" . ,(gauche-version)) ("ops" . #("resolve"))))
(let loop ()
  (let1 line (read-line)
    (unless (eof-object? line)
      (let* ((asked (parse-json-string line))
             (value (^[name] (cdr (assoc name asked))))
             (answer (guard (e (else (cons "failure" (if (condition? e) (regexp-replace-all #/[^ -~]/ (condition-message e "") "?") (x->string e)))))
                       ;; An unknown base is passed as the empty text.
                       (cons "bytes" (hex (uri-merge (value "base") (value "reference")))))))
        (say `(("id" . ,(x->integer (value "id"))) ,answer))
        (loop)))))
