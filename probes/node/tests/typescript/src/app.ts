import http from 'node:http';

interface Order {
  colour: string;
  total?: number;
}

type Answer = 'big' | 'small' | 'none';

function sized(order: Order): Answer {
  const total = order.total as number | undefined;

  if (total! > 100) {
    return 'big';
  }
  return total === undefined ? 'none' : 'small';
}

class Shop {
  constructor(readonly name: string) {}

  order(text: string | null): Answer {
    if (text?.startsWith('red-')) {
      throw new RangeError(`no more of ${text}`);
    }
    return sized({ colour: text ?? 'blue', total: Number(text) } satisfies Order);
  }
}

const shop = new Shop('one');

http.createServer((request, response) => {
  const url = new URL(request.url!, 'http://localhost');
  try {
    response.end(shop.order(url.searchParams.get('o')));
  } catch (error) {
    response.writeHead(500).end((error as Error).message);
  }
}).listen(Number(process.argv.at(-1)), '127.0.0.1');
