// A stand-in for MongoDB's server, for tests: mongo-java-server with a version the driver accepts and, with a FILE, made
// durable: a write is answered after it is synced to the file. Usage: java -cp 'lib/*' Server.java PORT [FILE]
// Port 0 takes any free one; the port that was bound is printed.
import de.bwaldvogel.mongo.MongoBackend;
import de.bwaldvogel.mongo.MongoServer;
import de.bwaldvogel.mongo.MongoVersion;
import de.bwaldvogel.mongo.backend.h2.H2Backend;
import de.bwaldvogel.mongo.backend.memory.MemoryBackend;
import de.bwaldvogel.mongo.bson.Document;
import de.bwaldvogel.mongo.wire.message.MongoMessage;
import java.util.List;
import java.util.Set;
import org.h2.mvstore.MVStore;

public class Server {
    // The newest version that what it can do comes near to; it says 8 of itself, which today's driver refuses.
    private static final MongoVersion VERSION = new MongoVersion() {
        public List<Integer> getVersionArray() { return List.of(7, 0, 0); }
        public int getWireVersion() { return 21; }
    };

    public static void main(String[] args) {
        MongoBackend backend = args.length > 1 ? durable(args[1]) : new MemoryBackend();
        backend.version(VERSION);
        MongoServer server = new MongoServer(backend);
        server.bind("127.0.0.1", Integer.parseInt(args[0]));
        Runtime.getRuntime().addShutdownHook(new Thread(server::shutdownNow));
        System.out.println("listening on " + server.getLocalAddress().getPort());
    }

    private static MongoBackend durable(String file) {
        MVStore store = new MVStore.Builder().fileName(file).autoCommitDisabled().open();
        return new DurableBackend(store);
    }

    private static final class DurableBackend extends H2Backend {
        private static final Set<String> WRITES = Set.of("insert", "update", "delete", "findandmodify", "create", "drop",
            "createindexes", "dropindexes", "dropdatabase");
        private final Object lock = new Object();
        private final Object disk = new Object();
        private long written;
        private long synced;

        DurableBackend(MVStore store) { super(store); }

        @Override
        public Document handleMessage(MongoMessage message) {
            Document answer;
            long mine;
            synchronized (lock) {
                // It hands out live documents: without the copy a later write shows in an earlier answer.
                answer = super.handleMessage(message).cloneDeeply();
                if (!isWrite(message)) return answer;
                mine = ++written;
            }
            sync(mine);
            return answer;
        }

        private static boolean isWrite(MongoMessage message) {
            return WRITES.contains(message.getDocument().keySet().iterator().next().toLowerCase());
        }

        // Group commit: who comes first syncs for all that wait by then.
        private void sync(long mine) {
            synchronized (disk) {
                if (synced >= mine) return;
                long upTo;
                synchronized (lock) {
                    upTo = written;
                    getMvStore().commit();
                }
                getMvStore().sync();
                synced = upTo;
            }
        }
    }
}
