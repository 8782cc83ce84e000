package com.example.shed

import java.io.File
import java.io.IOException
import java.net.HttpURLConnection
import java.util.concurrent.TimeUnit
import kotlin.concurrent.thread

private const val START = "exec python3 \"\${SHED:-shed.py}\" 8461"
private const val STOP = "echo 'the shed is closed' >> \"\${SHED_LOG:-/dev/null}\""
private const val RESET = "http://127.0.0.1:8461/reset"
private const val PATIENCE_SECONDS = 60L

/** Starts and stops the service around all tests, and resets it before each. */
internal object Service {
    private val log = File("target/service.log")
    private var started = false

    /** Only the first call does anything; the end of all tests stops what it started. */
    @Synchronized
    fun start() {
        if (started) {
            return
        }
        started = true
        val service = run(START)
        Runtime.getRuntime().addShutdownHook(thread(start = false) { stop(service) })
        awaitAnswer()
    }

    private fun stop(service: Process) {
        await(run(STOP))
        service.descendants().forEach { it.destroy() }
        service.destroy()
    }

    fun reset() {
        val status = given().post(RESET).statusCode()
        if (status >= 400) {
            throw AssertionError("the reset of the service was answered with $status")
        }
    }

    /** Any answer will do. */
    private fun awaitAnswer() {
        val end = System.nanoTime() + TimeUnit.SECONDS.toNanos(PATIENCE_SECONDS)
        while (!answers()) {
            if (System.nanoTime() > end) {
                throw AssertionError("no answer from $baseUrl, see $log")
            }
            Thread.sleep(100)
        }
    }

    private fun answers(): Boolean =
        try {
            val connection = baseUrl.toURL().openConnection() as HttpURLConnection
            connection.connectTimeout = 1_000
            connection.readTimeout = 5_000
            connection.responseCode > 0
        } catch (_: IOException) {
            false
        }

    private fun await(process: Process): Int {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw AssertionError("a command took too long, see $log")
        }
        return process.exitValue()
    }

    private fun run(command: String): Process =
        ProcessBuilder("sh", "-c", command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start()
}
