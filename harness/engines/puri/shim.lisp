;;; A Common Lisp library as an engine: puri:merge-uris or quri:merge-uris (reference, base). JSON is handled by hand.
(require :asdf)
(defvar *library* (intern (string-upcase (second sb-ext:*posix-argv*)) :keyword))
(let ((*standard-output* (make-broadcast-stream)) (*error-output* (make-broadcast-stream)))
  (asdf:initialize-source-registry '(:source-registry (:tree "/usr/share/common-lisp/source/") :ignore-inherited-configuration))
  (asdf:load-system *library*))
(defun named (name) (symbol-function (find-symbol name *library*)))
(defvar *parse* (named (if (eq *library* :puri) "PARSE-URI" "URI")))
(defvar *merge* (named "MERGE-URIS"))
(defvar *write* (named "RENDER-URI"))

(defun write-uri (uri)
  (if (eq *library* :puri)
      (with-output-to-string (out) (funcall *write* uri out))
      (funcall *write* uri)))

(defun failure (stage condition)
  (format nil "\"failure\":\"~a~a\"" stage
          (substitute-if #\? (lambda (c) (or (find c "\"\\") (not (char<= #\Space c #\~))))
                         (remove #\Newline (princ-to-string condition)))))

;; A scheme of puri is a keyword.
(defun quoted (part)
  (if (null part)
      "null"
      (with-output-to-string (out)
        (write-char #\" out)
        (loop for c across (if (keywordp part) (string-downcase part) (princ-to-string part))
              for code = (char-code c)
              do (cond ((> code #xffff) (format out "\\u~4,'0x\\u~4,'0x" (+ #xd7c0 (ash code -10)) (+ #xdc00 (logand code #x3ff))))
                       ((or (find c "\"\\") (not (<= 32 code 126))) (format out "\\u~4,'0x" code))
                       (t (write-char c out))))
        (write-char #\" out))))

(defun parse (text)
  (let ((uri (handler-case (funcall *parse* text)
               (error (condition) (return-from parse (failure "" condition))))))
    (format nil "\"parts\":{~{~a~^,~}}"
            (loop for name in '("scheme" "userinfo" "host" "port" "path" "query" "fragment" "authority")
                  for accessor = (find-symbol (format nil "URI-~:@(~a~)" name) *library*)
                  when (and accessor (fboundp accessor))
                    collect (format nil "\"~a\":~a" name (quoted (funcall accessor uri)))))))

(defun resolve (base reference)
  (let ((stage "base: "))
    (handler-case
        ;; The base is an object here, so with an unknown base the reference is parsed alone.
        (let ((start (and (string/= base "") (funcall *parse* base))))
          (setf stage "")
          (let ((uri (funcall *parse* reference)))
            (format nil "\"bytes\":\"~(~{~2,'0x~}~)\""
                    (coerce (sb-ext:string-to-octets (write-uri (if start (funcall *merge* uri start) uri)) :external-format :utf-8)
                            'list))))
      (error (condition) (failure stage condition)))))

;; A request is one flat object, so its strings and numbers are keys and values in turn.
(defun read-text (line start)
  (let ((text (make-string-output-stream)) (high nil))
    (loop for i = start then (1+ i)
          for c = (char line i)
          until (char= c #\")
          do (if (char/= c #\\)
                 (write-char c text)
                 (let ((escape (char line (incf i))))
                   (if (char= escape #\u)
                       (let ((code (parse-integer line :start (1+ i) :end (+ i 5) :radix 16)))
                         (incf i 4)
                         (cond ((<= #xd800 code #xdbff) (setf high code))
                               (high (write-char (code-char (+ #x10000 (ash (- high #xd800) 10) (- code #xdc00))) text)
                                     (setf high nil))
                               (t (write-char (code-char code) text))))
                       (let ((at (position escape "nrtbf")))
                         (write-char (if at (code-char (nth at '(10 13 9 8 12))) escape) text)))))
          finally (return (values (get-output-stream-string text) (1+ i))))))

(defun read-request (line)
  (loop with i = 0 and found = nil
        while (< i (length line))
        do (let ((c (char line i)))
             (cond ((char= c #\") (multiple-value-bind (text end) (read-text line (1+ i)) (push text found) (setf i end)))
                   ((digit-char-p c) (multiple-value-bind (number end) (parse-integer line :start i :junk-allowed t)
                                       (push number found) (setf i end)))
                   (t (incf i))))
        finally (return (nreverse found))))

(defun asked (request key) (loop for (name value) on request by #'cddr when (equal name key) return value))

(format t "{\"protocol\":1,\"engine\":\"~(~a~)\",\"version\":\"~a\",\"ops\":[\"resolve\",\"parse\"]}~%" *library* (third sb-ext:*posix-argv*))
(finish-output)
(loop for line = (read-line *standard-input* nil)
      while line
      do (let ((request (read-request line)))
           (format t "{\"id\":~a,~a}~%" (asked request "id")
                   (if (equal (asked request "op") "parse")
                       (parse (asked request "url"))
                       (resolve (asked request "base") (asked request "reference"))))
           (finish-output)))
