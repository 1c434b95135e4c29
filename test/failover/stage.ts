// Three servers with streaming replication, a Florin over them and merchants who pay all the time; and what a manager
// does when one of the servers is lost.
import { mkdtempSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { type Cluster, type Node, openCluster, promoteOneOf } from './nodes.ts';
import { type Shop, openShop } from './shop.ts';

export class Stage {
  readonly cluster: Cluster;
  readonly shop: Shop;
  primary: Node;

  private constructor(cluster: Cluster, shop: Shop, primary: Node) {
    this.cluster = cluster;
    this.shop = shop;
    this.primary = primary;
  }

  static async open(): Promise<Stage> {
    const cluster = await openCluster(mkdtempSync(join(tmpdir(), 'florin-nodes-')), ['a', 'b', 'c']);
    const [primary] = cluster.nodes;
    if (!primary) throw new Error('there are three nodes');
    return new Stage(cluster, await openShop(cluster), primary);
  }

  async close(): Promise<void> {
    await this.shop[Symbol.asyncDispose]();
    await this.cluster[Symbol.asyncDispose]();
  }

  others(node: Node): readonly Node[] {
    return this.cluster.nodes.filter((one) => one !== node);
  }

  get standbys(): readonly [Node, Node] {
    const [one, two] = this.others(this.primary);
    if (!one || !two) throw new Error('there are two standbys');
    return [one, two];
  }

  /** Answers the old primary. */
  async failOver(): Promise<Node> {
    const old = this.primary;
    this.primary = await promoteOneOf(this.standbys);
    return old;
  }

  /** Made anew from the primary. */
  async rejoin(node: Node): Promise<void> {
    await node.kill();
    node.copy(this.primary);
    await node.start();
  }

  /** Throws unless it goes on, nothing was lost and no answer was wrong. */
  async requireSound(): Promise<void> {
    await this.shop.paid(20);
    const wrong = {
      lost: await this.shop.lost(this.primary),
      answers: this.shop.wrong(),
      ended: this.shop.failures.map(String),
    };
    if (Object.values(wrong).some((some) => some.length > 0)) throw new Error(JSON.stringify(wrong));
  }
}
