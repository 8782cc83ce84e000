

@pytest.fixture(scope="session", autouse=True)
def service():
    """The service runs as long as the tests do."""
    process = subprocess.Popen(START, shell=True, start_new_session=True)
    try:
        wait_for_service(process)
        yield
    finally:
        subprocess.run(STOP, shell=True, check=False)
        if process.poll() is None:
            os.killpg(process.pid, signal.SIGTERM)
            process.wait(timeout=30)


def wait_for_service(process):
    for _ in range(600):
        if process.poll() not in (None, 0):
            pytest.exit(f"the service ended with {process.returncode}", 3)
        try:
            httpx.get(BASE_URL, timeout=5)
            return
        except httpx.TransportError:
            time.sleep(0.1)
    pytest.exit(f"nothing answers at {BASE_URL}", 3)
