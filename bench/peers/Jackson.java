/*
 * Time Jackson on JSON lines: bench/peers.sh tells the output.
 *
 *	Jackson.java FILE ROUNDS SECONDS print|parse
 *
 * "print" turns trees that were read before into text, "parse" reads text and
 * prints it.  The answer is the text of all documents.
 *
 * Copyright (c) 2026, the colj authors
 */

import com.fasterxml.jackson.databind.JsonNode;
import com.fasterxml.jackson.databind.ObjectMapper;
import java.nio.file.Files;
import java.nio.file.Path;
import java.util.ArrayList;
import java.util.List;

public class Jackson
{
	static final ObjectMapper mapper = new ObjectMapper();
	static final int WARM_UP = 50000;
	static long sink;

	static void round(List<String> lines, List<JsonNode> trees, boolean parse) throws Exception
	{
		for (int i = 0; i < lines.size(); i++)
		{
			JsonNode tree = parse ? mapper.readTree(lines.get(i)) : trees.get(i);
			sink += mapper.writeValueAsString(tree).length();
		}
	}

	public static void main(String[] args) throws Exception
	{
		if (args[0].equals("--version"))
		{
			System.out.println("Jackson " + mapper.version() + " on Java " + System.getProperty("java.version"));
			return;
		}
		List<String> lines = Files.readAllLines(Path.of(args[0]));
		List<JsonNode> trees = new ArrayList<>();
		for (String line : lines)
			trees.add(mapper.readTree(line));
		boolean parse = args[3].equals("parse");
		int rounds = Integer.parseInt(args[1]);
		/* The compiler needs some rounds of its own. */
		for (int i = 0; i < Math.min(rounds, 5) || (rounds >= 5 && i * lines.size() < WARM_UP); i++)
			round(lines, trees, parse);
		double till = System.nanoTime() + Double.parseDouble(args[2]) * 1e9;
		for (int taken = 0; taken < rounds || System.nanoTime() < till; taken++)
		{
			long start = System.nanoTime();
			round(lines, trees, parse);
			System.out.println("ms " + (System.nanoTime() - start) / 1e6);
		}
		StringBuilder answer = new StringBuilder("answer ");
		for (JsonNode tree : trees)
			answer.append(mapper.writeValueAsString(tree));
		System.out.println(answer);
	}
}
