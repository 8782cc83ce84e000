package PACKAGE
//#if start stop command

import java.io.File
//#if start
import java.io.IOException
import java.net.HttpURLConnection
//#end
import java.util.concurrent.TimeUnit
//#if start
import kotlin.concurrent.thread
//#else
//#if stop
import kotlin.concurrent.thread
//#end
//#end
//#end

//#if start
START
//#end
//#if stop
STOP
//#end
//#if command url
RESET
//#end
//#if start stop command
private const val PATIENCE_SECONDS = 60L
//#end

/** Starts and stops the service around all tests, and resets it before each. */
internal object Service {
//#if start stop command
    private val log = File("target/service.log")
//#end
//#if start stop
    private var started = false

    /** Only the first call does anything; the end of all tests stops what it started. */
    @Synchronized
    fun start() {
        if (started) {
            return
        }
        started = true
//#if start
        val service = run(START)
        Runtime.getRuntime().addShutdownHook(thread(start = false) { stop(service) })
        awaitAnswer()
//#else
        Runtime.getRuntime().addShutdownHook(thread(start = false) { stop() })
//#end
    }
//#end
//#if start

    private fun stop(service: Process) {
//#if stop
        await(run(STOP))
//#end
        service.descendants().forEach { it.destroy() }
        service.destroy()
    }
//#else
//#if stop

    private fun stop() {
        await(run(STOP))
    }
//#end
//#end
//#if command

    fun reset() {
        if (await(run(RESET)) != 0) {
            throw AssertionError("the service could not be reset, see $log")
        }
    }
//#end
//#if url

    fun reset() {
        val status = given().post(RESET).statusCode()
        if (status >= 400) {
            throw AssertionError("the reset of the service was answered with $status")
        }
    }
//#end
//#if start

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
//#end
//#if stop command

    private fun await(process: Process): Int {
        if (!process.waitFor(PATIENCE_SECONDS, TimeUnit.SECONDS)) {
            throw AssertionError("a command took too long, see $log")
        }
        return process.exitValue()
    }
//#end
//#if start stop command

    private fun run(command: String): Process =
        ProcessBuilder("sh", "-c", command)
            .redirectErrorStream(true)
            .redirectOutput(ProcessBuilder.Redirect.appendTo(log))
            .start()
//#end
}
