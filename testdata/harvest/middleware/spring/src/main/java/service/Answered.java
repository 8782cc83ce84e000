package service;

import jakarta.servlet.ServletOutputStream;
import jakarta.servlet.WriteListener;
import jakarta.servlet.http.HttpServletResponse;
import jakarta.servlet.http.HttpServletResponseWrapper;
import java.io.ByteArrayOutputStream;
import java.io.IOException;
import java.io.PrintWriter;
import java.io.Writer;
import java.nio.charset.Charset;

/** Passes an answer on as it is written, and keeps a copy unless it is too large. */
class Answered extends HttpServletResponseWrapper {
  private final ByteArrayOutputStream copy = new ByteArrayOutputStream();
  private boolean tooLarge;
  private final StringBuilder text = new StringBuilder();
  private ServletOutputStream stream;
  private PrintWriter writer;

  Answered(HttpServletResponse response) {
    super(response);
  }

  /** A service writes bytes or text, never both. */
  byte[] bytes() {
    if (tooLarge) {
      return new byte[0];
    }
    return text.isEmpty()
        ? copy.toByteArray()
        : text.toString().getBytes(Charset.forName(getCharacterEncoding()));
  }

  private void keep(byte[] bytes, int from, int length) {
    tooLarge = tooLarge || copy.size() + length > HarvestFilter.LARGEST;
    if (!tooLarge) {
      copy.write(bytes, from, length);
    }
  }

  @Override
  public ServletOutputStream getOutputStream() throws IOException {
    if (stream == null) {
      stream = new Tee(super.getOutputStream());
    }
    return stream;
  }

  @Override
  public PrintWriter getWriter() throws IOException {
    if (writer == null) {
      writer = new PrintWriter(new TextTee(super.getWriter()));
    }
    return writer;
  }

  @Override
  public void resetBuffer() {
    super.resetBuffer();
    copy.reset();
    text.setLength(0);
    tooLarge = false;
  }

  /** It holds nothing back: what is written is where it would be without. */
  private class TextTee extends Writer {
    private final PrintWriter to;

    TextTee(PrintWriter to) {
      this.to = to;
    }

    @Override
    public void write(char[] letters, int from, int length) {
      to.write(letters, from, length);
      tooLarge = tooLarge || text.length() + length > HarvestFilter.LARGEST;
      if (!tooLarge) {
        text.append(letters, from, length);
      }
    }

    @Override
    public void flush() {
      to.flush();
    }

    @Override
    public void close() {
      to.close();
    }
  }

  private class Tee extends ServletOutputStream {
    private final ServletOutputStream to;

    Tee(ServletOutputStream to) {
      this.to = to;
    }

    @Override
    public void write(int one) throws IOException {
      to.write(one);
      keep(new byte[] {(byte) one}, 0, 1);
    }

    @Override
    public void write(byte[] bytes, int from, int length) throws IOException {
      to.write(bytes, from, length);
      keep(bytes, from, length);
    }

    @Override
    public void flush() throws IOException {
      to.flush();
    }

    @Override
    public void close() throws IOException {
      to.close();
    }

    @Override
    public boolean isReady() {
      return to.isReady();
    }

    @Override
    public void setWriteListener(WriteListener listener) {
      to.setWriteListener(listener);
    }
  }
}
