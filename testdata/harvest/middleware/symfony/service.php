<?php

// A small service to try the listener with: COLLECTOR=... php -S 127.0.0.1:PORT service.php

declare(strict_types=1);

use App\HarvestListener;
use Symfony\Bundle\FrameworkBundle\FrameworkBundle;
use Symfony\Bundle\FrameworkBundle\Kernel\MicroKernelTrait;
use Symfony\Component\DependencyInjection\Loader\Configurator\ContainerConfigurator;
use Symfony\Component\HttpFoundation\JsonResponse;
use Symfony\Component\HttpFoundation\Request;
use Symfony\Component\HttpFoundation\Response;
use Symfony\Component\HttpKernel\Kernel;
use Symfony\Component\Routing\Loader\Configurator\RoutingConfigurator;

require getenv('AUTOLOAD') ?: __DIR__.'/vendor/autoload.php';
require_once __DIR__.'/HarvestListener.php';

final class Service extends Kernel
{
    use MicroKernelTrait;

    public function registerBundles(): iterable
    {
        yield new FrameworkBundle();
    }

    public function getProjectDir(): string
    {
        return getenv('WORK') ?: sys_get_temp_dir().'/harvest-symfony';
    }

    protected function configureContainer(ContainerConfigurator $container): void
    {
        $container->extension('framework', ['secret' => 'a small one', 'http_method_override' => false]);
        $container->services()->set(HarvestListener::class)
            ->args(['%env(COLLECTOR)%', '%kernel.cache_dir%'])
            ->tag('kernel.event_subscriber');
    }

    protected function configureRoutes(RoutingConfigurator $routes): void
    {
        $routes->add('books', '/books')->methods(['GET'])->controller([self::class, 'books']);
        $routes->add('create', '/books')->methods(['POST'])->controller([self::class, 'create']);
        $routes->add('login', '/login')->methods(['POST'])->controller([self::class, 'login']);
        $routes->add('large', '/large')->controller([self::class, 'large']);
        $routes->add('fail', '/fail')->controller([self::class, 'fail']);
    }

    public function books(Request $request): Response
    {
        return new JsonResponse([['id' => 1, 'tag' => $request->query->get('tag')]]);
    }

    public function create(Request $request): Response
    {
        $title = json_decode($request->getContent(), true)['title'];

        return new JsonResponse(['id' => 2, 'title' => $title], 201);
    }

    public function login(Request $request): Response
    {
        return new Response('welcome '.$request->request->get('user'), 200, ['content-type' => 'text/plain']);
    }

    public function large(): Response
    {
        return new Response(str_repeat('x', 200000), 200, ['content-type' => 'text/plain']);
    }

    public function fail(): Response
    {
        throw new RuntimeException('as it should');
    }
}

$kernel = new Service('prod', false);
$request = Request::createFromGlobals();
$response = $kernel->handle($request);
$response->send();
$kernel->terminate($request, $response);
